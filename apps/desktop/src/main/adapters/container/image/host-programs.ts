import { access, constants, readFile, realpath } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'

/*
 * Where programs of this computer are, and what they link to.
 */

const usualFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin']

/** Full path of a program: the system's own before what PATH has (shims and wrappers); null when there is none. */
export async function findProgram(name: string): Promise<string | null> {
  const fromPath = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder.startsWith('/'))
  for (const folder of [...usualFolders, ...fromPath]) {
    const path = join(folder, name)
    if (await isExecutable(path)) return path
  }
  return null
}

/**
 * The Node that goes into a base: ALFRED_NODE, else the one that runs this (not inside Electron, whose
 * executable is no Node), else the one on PATH.
 */
export async function findNode(): Promise<string | null> {
  const chosen = process.env['ALFRED_NODE']
  if (chosen !== undefined && chosen !== '' && (await isExecutable(chosen))) return realpath(chosen)
  if (process.versions['electron'] === undefined && basename(process.execPath).startsWith('node'))
    return process.execPath
  const found = await findProgram('node')
  return found === null ? null : realpath(found)
}

/** npm's folder beside a Node of the usual layout; null when it is spread over the system. */
export async function findNpm(): Promise<string | null> {
  const npm = await findProgram('npm')
  if (npm === null) return null
  const folder = dirname(dirname(await realpath(npm)))
  const isWhole = basename(folder) === 'npm' && (await isReadable(join(folder, 'node_modules')))
  return isWhole ? folder : null
}

export const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

export const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  )

const scriptShells = /^#! ?\/(usr\/)?bin\/(ba|da)?sh\b/

/** Whether a file is a program that runs by itself, a shell script, or something that a small base cannot run. */
export async function programKind(path: string): Promise<'binary' | 'script' | 'other'> {
  const head = (await readFile(path)).subarray(0, 64)
  if (head.subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1'))) return 'binary'
  return scriptShells.test(head.toString('latin1')) ? 'script' : 'other'
}

/** Absolute paths of libraries and loader in what `ldd` prints. */
export function parseLdd(output: string): readonly string[] {
  const paths = output.split('\n').flatMap((line) => {
    const match = /(?:=>\s+|^\s+)(\/\S+)\s+\(0x[0-9a-f]+\)\s*$/.exec(line)
    return match?.[1] === undefined ? [] : [match[1]]
  })
  return [...new Set(paths)]
}
