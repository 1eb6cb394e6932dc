import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openEngineDatabase } from '../integration/support/engine-database'
import { appFolder, environment } from './launch'

/*
 * Data folders of the tests: empty ones, copies of one in which the demo was played, and what they leave in Docker.
 */

const alfredProgram = join(appFolder, 'out/main/alfred.cjs')

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'alfred-e2e-'))

/** The columns of `llm_sessions` that tests look at. */
export interface PlayedSession {
  readonly mailbox_id: number
  readonly run_id: number
  readonly native_session_id: string | null
  readonly requested_session_id: string | null
  readonly resumed: boolean
  readonly resume_fallback: string | null
}

export interface PlayedDemo {
  readonly home: string
  /** Oldest first per issue. */
  readonly sessions: readonly PlayedSession[]
}

/** Plays the demo to its end, without a window. The image is built at the first time and then found by its recipe. */
export async function playDemo(home: string): Promise<PlayedDemo> {
  const { code, output, problems } = await runAlfred(home, ['demo', '--headless', '--json'])
  if (code !== 0) throw new Error(`the demo ended with ${code}\n${problems}`)
  const { sessions } = JSON.parse(output) as { sessions: readonly PlayedSession[] }
  return { home, sessions }
}

export interface EndedCommand {
  readonly code: number
  readonly output: string
  readonly problems: string
}

/** Runs `alfred ...args` on a data folder to its end; `input` is what it reads. */
export function runAlfred(
  home: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
): Promise<EndedCommand> {
  const options = { env: environment({ env }, home), maxBuffer: 50_000_000 }
  return new Promise((resolve) => {
    const alfred = execFile(
      process.execPath,
      [alfredProgram, ...args],
      options,
      (error, output, problems) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), output, problems })
      },
    )
    alfred.stdin?.end(input)
  })
}

/** Starts `alfred ...args` and leaves it running; the caller ends it. */
export function startAlfred(home: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [alfredProgram, ...args], {
    env: environment({}, home),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** A data folder is whole when its engine is gone; owners of its files stay as they are. */
export function copyHome(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  execFileSync('cp', ['-a', from, to])
}

/** Removes the folder and the containers that its runs left. */
export function removeHome(home: string): void {
  removeContainers(home)
  rmSync(home, { recursive: true, force: true, maxRetries: 3 })
}

function readInstallId(home: string): string | null {
  const db = openEngineDatabase(home)
  try {
    return db.prepare<[], string>("SELECT value FROM meta WHERE key = 'install_id'").pluck().get() ?? null
  } catch {
    return null // not ours: a test wrote something else there
  } finally {
    db.close()
  }
}

export function removeContainers(home: string): void {
  const installId = existsSync(join(home, 'alfred.db')) ? readInstallId(home) : null
  const ids = installId === null ? [] : containersOf(installId, ['--all'])
  if (ids.length > 0) docker(['rm', '--force', ...ids])
}

/** Ids of the containers that run for this data folder. */
export function liveContainers(home: string): readonly string[] {
  const installId = readInstallId(home)
  if (installId === null) throw new Error(`${home} has no database`)
  return containersOf(installId, [])
}

const containersOf = (installId: string, more: readonly string[]): readonly string[] =>
  docker(['ps', '--quiet', ...more, '--filter', `label=dev.alfred.install=${installId}`])
    .split('\n')
    .filter((id) => id !== '')

/** Removes an agent image and the base that was made for it; both carry the recipe in their names. */
export function removeImages(tag: string): void {
  const recipe = tag.slice(tag.indexOf(':') + 1)
  docker(['rmi', '--force', tag, `alfred-base:collected-${recipe}`, `alfred-base:debootstrap-${recipe}`])
}

function docker(args: readonly string[]): string {
  try {
    return execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return '' // no Docker, no containers
  }
}
