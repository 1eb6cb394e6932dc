import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface ProgramOutput {
  /** null when it could not be started or was ended by a signal. */
  readonly exitCode: number | null
  readonly stdout: string
  /** The last lines of both streams, for an error's message. */
  readonly tail: string
}

export interface ProgramOptions {
  readonly signal?: AbortSignal
  readonly onLine?: (line: string) => void
  readonly environment?: Readonly<Record<string, string>>
  /** Where it runs; unset: where the app does. */
  readonly folder?: string
}

const tailLines = 20
const maxOutputCharacters = 10_000_000

/** Runs one of the host's own programs, without a shell; its whole group ends with the signal. */
export function runProgram(
  argv: readonly [string, ...string[]],
  options: ProgramOptions = {},
): Promise<ProgramOutput> {
  const [program, ...rest] = argv
  return new Promise((resolve) => {
    const child = spawn(program, rest, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: options.folder,
      detached: process.platform !== 'win32',
      env: { ...process.env, LC_ALL: 'C', ...options.environment },
    })
    const tail: string[] = []
    const output: string[] = []
    let held = 0
    const keep = (line: string): void => {
      tail.push(line)
      if (tail.length > tailLines) tail.shift()
      options.onLine?.(line)
    }
    createInterface({ input: child.stdout }).on('line', (line) => {
      keep(line)
      held += line.length
      if (held <= maxOutputCharacters) output.push(line)
    })
    createInterface({ input: child.stderr }).on('line', keep)
    const stop = (): void => {
      if (child.pid !== undefined) endGroup(child.pid)
    }
    options.signal?.addEventListener('abort', stop)
    const settle = (exitCode: number | null): void => {
      options.signal?.removeEventListener('abort', stop)
      resolve({ exitCode, stdout: output.join('\n'), tail: tail.join('\n') })
    }
    child.on('error', (error) => {
      tail.push(error.message)
      settle(null)
    })
    child.on('close', settle)
    if (options.signal?.aborted) stop()
  })
}

function endGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // Ended already.
  }
}
