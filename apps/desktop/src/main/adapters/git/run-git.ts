import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { err, ok, type Result } from '@shared/result'
import { type GitConfigEntry, gitEnvironment } from './git-environment'

/*
 * The only place that starts git: argv as a list, output bounded, the whole process group ended on abort.
 */

export interface GitRequest {
  /** The bare repository; named explicitly, so that git never looks for one around it. */
  readonly gitDir?: string
  readonly args: readonly string[]
  readonly config?: readonly GitConfigEntry[]
  /** For this one process, as secrets for its credential helper. */
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string | Buffer
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  readonly maxOutputBytes?: number
  /** Sees all of the output as it comes; then none of it is kept, and nothing bounds it. */
  readonly onOutput?: (chunk: Buffer) => void
  /** What happens when there is more output: the call fails (the default), or what fits is returned. */
  readonly whenOver?: 'fail' | 'cut'
}

/** A git that ran to its end, whatever it said. */
export interface GitOutput {
  readonly exitCode: number
  readonly stdout: Buffer
  readonly stderr: string
  readonly isCut: boolean
}

export type GitStopReason = 'git_missing' | 'aborted' | 'timed_out' | 'too_much_output' | 'not_started'

export interface GitStopped {
  readonly type: GitStopReason
  readonly message: string
}

/** Never throws. A non-zero exit is an output, not an error: the caller knows what it means. */
export type RunGit = (request: GitRequest) => Promise<Result<GitOutput, GitStopped>>

const defaultTimeoutMs = 5 * 60_000
const defaultMaxOutputBytes = 4_000_000
const maxStderrBytes = 32_000
const killAfterMs = 3_000

export function createRunGit(options: { readonly homeFolder: string; readonly program?: string }): RunGit {
  mkdirSync(options.homeFolder, { recursive: true, mode: 0o700 })
  return (request) => run(options.program ?? 'git', options.homeFolder, request)
}

function run(
  program: string,
  homeFolder: string,
  request: GitRequest,
): Promise<Result<GitOutput, GitStopped>> {
  if (request.signal?.aborted) return Promise.resolve(err(stopped('aborted')))
  const args = [...(request.gitDir === undefined ? [] : [`--git-dir=${request.gitDir}`]), ...request.args]
  const child = spawn(program, args, {
    cwd: homeFolder,
    env: gitEnvironment(homeFolder, request.config, request.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that git's helpers end with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(request.stdin ?? '')
  return follow(child, request)
}

function follow(child: ChildProcess, request: GitRequest): Promise<Result<GitOutput, GitStopped>> {
  const maxBytes = request.maxOutputBytes ?? defaultMaxOutputBytes
  const out = new BoundedBytes(maxBytes)
  const errors = new BoundedBytes(maxStderrBytes)
  return new Promise((resolve) => {
    let why: GitStopReason | null = null
    let killTimer: NodeJS.Timeout | undefined
    const stop = (reason: GitStopReason): void => {
      if (why !== null) return
      why = reason
      killGroup(child, 'SIGTERM')
      killTimer = setTimeout(() => {
        killGroup(child, 'SIGKILL')
        // A helper that left the group could hold these open for ever.
        child.stdout?.destroy()
        child.stderr?.destroy()
      }, killAfterMs)
    }
    const onAbort = (): void => stop('aborted')
    const deadline = setTimeout(() => stop('timed_out'), request.timeoutMs ?? defaultTimeoutMs)
    request.signal?.addEventListener('abort', onAbort, { once: true })
    const settle = (result: Result<GitOutput, GitStopped>): void => {
      clearTimeout(deadline)
      clearTimeout(killTimer)
      request.signal?.removeEventListener('abort', onAbort)
      resolve(result)
    }
    child.stdout?.on('data', (chunk: Buffer) => {
      if (request.onOutput) request.onOutput(chunk)
      else if (!out.add(chunk)) stop('too_much_output')
    })
    child.stderr?.on('data', (chunk: Buffer) => errors.add(chunk))
    child.on('error', (error: NodeJS.ErrnoException) => {
      settle(
        err(
          error.code === 'ENOENT' ? stopped('git_missing') : { type: 'not_started', message: error.message },
        ),
      )
    })
    child.on('close', (code) => {
      const isCut = why === 'too_much_output' && request.whenOver === 'cut'
      if (why !== null && !isCut) return settle(err(stopped(why)))
      settle(
        ok({
          exitCode: isCut ? 0 : (code ?? -1),
          stdout: out.bytes(),
          stderr: errors.bytes().toString(),
          isCut,
        }),
      )
    })
  })
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  // Git itself may have ended while a helper of its group goes on.
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It has ended between the check and the signal.
  }
}

function stopped(type: GitStopReason): GitStopped {
  return { type, message: stopMessages[type] }
}

const stopMessages: Record<GitStopReason, string> = {
  git_missing: 'Git is not installed, or not on the PATH.',
  aborted: 'Git was stopped.',
  timed_out: 'Git did not finish in time and was stopped.',
  too_much_output: 'Git answered with more than Alfred takes.',
  not_started: 'Git could not be started.',
}

class BoundedBytes {
  readonly #chunks: Buffer[] = []
  readonly #max: number
  #size = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Keeps what fits; false when something did not. */
  add(chunk: Buffer): boolean {
    const room = this.#max - this.#size
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk
    this.#size += kept.length
    if (kept.length > 0) this.#chunks.push(kept)
    return kept.length === chunk.length
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}
