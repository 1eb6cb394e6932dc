import { spawn } from 'node:child_process'
import { cp, copyFile, mkdir, mkdtemp, readFile, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { err, ok } from '@shared/result'
import type { BaseMaker } from '@main/ports/agent-image'
import type { OnBuildProgress } from '@main/ports/container-runtime'
import { findNode, findNpm, findProgram } from './host-programs'
import { runProgram } from './run-program'

/*
 * A whole Debian as base, from the package mirror that this computer uses itself. Needs root; about 40 seconds.
 */

const defaultSuite = 'bookworm'
const imageBundle = 'etc/ssl/certs/ca-certificates.crt'
const unneeded = [
  'var/cache/apt/archives',
  'var/lib/apt/lists',
  'usr/share/doc',
  'usr/share/locale',
  'usr/share/man',
]

const changes = [
  'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'ENV LANG=C.UTF-8',
  `ENV NODE_EXTRA_CA_CERTS=/${imageBundle}`,
  'LABEL dev.alfred.base=debootstrap',
]

export function createDebootstrapBase(): BaseMaker {
  return {
    name: 'debootstrap',
    about: 'a small Debian from the package mirror',
    obstacle: async (engine) => {
      if (process.platform !== 'linux' || engine.operatingSystem !== 'linux')
        return 'it needs Linux on both sides'
      if (process.getuid?.() !== 0) return 'it needs root'
      if ((await findProgram('debootstrap')) === null) return 'debootstrap is not installed'
      return (await findNode()) === null
        ? 'Node was not found on this computer (ALFRED_NODE may name it)'
        : null
    },
    make: async (onProgress, signal) => {
      const folder = await mkdtemp(join(tmpdir(), 'alfred-base-'))
      const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true })
      try {
        const failure = await fill(folder, onProgress, signal)
        if (failure === null) return ok({ tar: tarOf(folder), changes, dispose })
        await dispose()
        return err(
          signal.aborted
            ? { type: 'aborted', message: 'making the base was stopped' }
            : { type: 'failed', message: failure },
        )
      } catch (thrown) {
        await dispose()
        return err({ type: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown) })
      }
    },
  }
}

async function fill(
  folder: string,
  onProgress: OnBuildProgress,
  signal: AbortSignal,
): Promise<string | null> {
  const debootstrap = (await findProgram('debootstrap')) ?? 'debootstrap'
  const argv = [
    '--variant=minbase',
    '--include=ca-certificates,git',
    await suite(),
    folder,
    ...(await mirror()),
  ]
  const made = await runProgram([debootstrap, ...argv], {
    signal,
    onLine: (line) =>
      onProgress({
        step: 'installing a small Debian',
        fraction: null,
        detail: line.replace(/^I: /, '').slice(0, 200),
      }),
  })
  if (made.exitCode !== 0) return `debootstrap failed: ${made.tail.split('\n').slice(-3).join(' ')}`
  for (const path of unneeded) await emptyFolder(join(folder, path))
  await addNode(folder)
  const bundle = process.env['NODE_EXTRA_CA_CERTS'] ?? process.env['SSL_CERT_FILE']
  if (bundle) await copyFile(bundle, join(folder, imageBundle))
  return null
}

async function emptyFolder(path: string): Promise<void> {
  const names = await readdir(path).catch(() => [])
  await Promise.all(names.map((name) => rm(join(path, name), { recursive: true, force: true })))
}

async function addNode(folder: string): Promise<void> {
  const node = await findNode()
  if (node === null) throw new Error('Node was not found')
  await mkdir(join(folder, 'usr/local/lib/node_modules'), { recursive: true })
  await copyFile(node, join(folder, 'usr/local/bin/node'))
  const npm = await findNpm()
  if (npm === null) return
  await cp(npm, join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true })
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, 'usr/local/bin', name))
}

function tarOf(folder: string): NodeJS.ReadableStream {
  const child = spawn('tar', ['--numeric-owner', '-C', folder, '-c', '.'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.on('error', (error) => child.stdout.destroy(error))
  return child.stdout
}

/** The suite of this computer where it is a Debian, so that its mirror has it. */
async function suite(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '')
  const isDebian = /^ID=debian$/m.test(release)
  return (isDebian ? /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1] : undefined) ?? defaultSuite
}

/** The mirror that this computer's package lists name; without one debootstrap takes its own. */
async function mirror(): Promise<readonly string[]> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '')
  if (!/^ID=debian$/m.test(release)) return []
  const sources = await readFile('/etc/apt/sources.list.d/debian.sources', 'utf8').catch(() => '')
  const list = await readFile('/etc/apt/sources.list', 'utf8').catch(() => '')
  const found = /^URIs:\s*(\S+)/m.exec(sources)?.[1] ?? /^deb\s+(?:\[[^\]]*\]\s+)?(\S+)/m.exec(list)?.[1]
  return found === undefined ? [] : [found]
}
