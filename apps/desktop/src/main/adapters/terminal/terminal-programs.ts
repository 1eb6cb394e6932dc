import { spawn, type StdioOptions } from 'node:child_process'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  writeFileSync,
} from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { err, ok, type Result } from '@shared/result'
import { templateArgv, terminalArgv } from '../../core/terminal/terminal-argv'
import type { TerminalPrograms } from '../../ports/terminal-programs'

export interface TerminalProgramsOptions {
  readonly environment: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  /** The words for `alfred`. */
  readonly alfred: readonly string[]
}

/** A program that ends with an error within this time has opened nothing. */
const opensWithinMs = 1_500

export function createTerminalPrograms(options: TerminalProgramsOptions): TerminalPrograms {
  const { environment, platform, alfred } = options
  const has = (name: string): boolean =>
    (environment['PATH'] ?? '').split(delimiter).some((folder) => isProgram(join(folder, name)))
  return {
    async open(words, { title, template }) {
      const whole = [...alfred, ...words]
      const command = platform === 'darwin' && template === null ? [commandFile(whole)] : whole
      const preferred = basename(environment['TERMINAL'] ?? '') || null
      const argv =
        template === null
          ? fromNull(terminalArgv({ platform, has, preferred }, title, command))
          : templateArgv(template, command)
      return argv.ok ? start(argv.value, environment) : argv
    },
  }
}

/** Terminal.app opens files: this one takes itself away once it runs. */
function commandFile(command: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'alfred-terminal-'))
  const file = join(folder, 'alfred.command')
  const words = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  writeFileSync(file, `#!/bin/sh\nrm -rf -- '${folder}'\nexec ${words}\n`, { mode: 0o700 })
  return file
}

const fromNull = (argv: readonly string[] | null): Result<readonly string[], string> =>
  argv === null
    ? err('No terminal program was found. Name yours in TERMINAL_COMMAND, as in: kitty -- {command}')
    : ok(argv)

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function start(
  [program = '', ...rest]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Result<null, string>> {
  return new Promise((resolve) => {
    const ours = openHere()
    const nothing = openSync(devNull, 'r')
    const stdio: StdioOptions = ['ignore', 'ignore', 'pipe', ...inPlaceOf(ours, nothing)]
    const child = spawn(program, rest, { env, detached: true, stdio })
    closeSync(nothing)
    let said = ''
    child.stderr?.on('data', (bytes: Buffer) => (said = (said + bytes.toString('utf8')).slice(-2_000)))
    const opened = setTimeout(() => resolve(ok(null)), opensWithinMs)
    child.on('error', (error) => resolve(err(`${program} could not be started: ${reasonOf(error)}.`)))
    child.on('exit', (code) => {
      clearTimeout(opened)
      const why = said.trim().split('\n').at(-1) ?? ''
      resolve(
        code === 0 ? ok(null) : err(`${program} ended at once with code ${code ?? 'unknown'}. ${why}`.trim()),
      )
    })
    child.unref()
    const { stderr } = child
    if (stderr && 'unref' in stderr && typeof stderr.unref === 'function') stderr.unref()
  })
}

/** Numbers of the files and sockets that this process has open. */
const openHere = (): ReadonlySet<number> =>
  new Set(process.platform === 'linux' ? readdirSync('/proc/self/fd').map(Number) : [])

/**
 * Nothing, in the place of all that is open: Chromium leaves its files and sockets to every program that is started
 * beside it, and a terminal outlives the app. Numbers that are free stay so: by one of them a start that fails is told.
 */
const inPlaceOf = (open: ReadonlySet<number>, nothing: number): readonly (number | 'ignore')[] =>
  Array.from({ length: Math.max(2, ...open) - 2 }, (_, index) => (open.has(index + 3) ? nothing : 'ignore'))

const reasonOf = (error: NodeJS.ErrnoException): string =>
  error.code === 'ENOENT' ? 'there is no such program' : error.message

export interface AlfredPlace {
  readonly executable: string
  readonly builtFolder: string
  readonly platform: NodeJS.Platform
  /** The data folder, where it is not the one of the system; null: it is. */
  readonly home: string | null
}

/**
 * The words that start `alfred` from this very app: its launcher, or in a clone the built file. The data folder is
 * among them: terminals of a process that runs already (GNOME's, tmux's) have the environment of that one.
 */
export function alfredWords({ executable, builtFolder, platform, home }: AlfredPlace): readonly string[] {
  const variables = home === null ? [] : [`ALFRED_HOME=${home}`]
  const beside = platform === 'darwin' ? join(dirname(executable), '..') : dirname(executable)
  const launcher = join(beside, platform === 'win32' ? 'alfred.cmd' : 'alfred')
  const isLauncher = existsSync(launcher)
  const words = isLauncher ? [launcher] : [executable, join(builtFolder, 'alfred.cjs')]
  // Windows has no such word, and its terminals take the environment of who starts them.
  if (platform === 'win32') return words
  const all = isLauncher ? variables : [...variables, 'ELECTRON_RUN_AS_NODE=1']
  return all.length === 0 ? words : ['env', ...all, ...words]
}
