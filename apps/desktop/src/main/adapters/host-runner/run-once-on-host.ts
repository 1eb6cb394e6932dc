import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { err, ok, type Result } from '@shared/result'
import type { CommandOutput, ContainerError } from '@main/ports/container-runtime'

export interface HostCommand {
  /** A program and its arguments, never a shell's line. */
  readonly argv: readonly string[]
  readonly timeoutMs: number
  /** Empty homes are made here and removed again. */
  readonly folder: string
  /** Goes before PATH. */
  readonly toolsFolder: string
}

/** Longer outputs are cut: this is for `--version`. */
const maxOutputCharacters = 64_000
const outputPatienceMs = 1_000
/** What a command without an exit code counts as. */
const killedCode = 137

/**
 * Runs a short command of this computer with an empty home and none of the app's environment but PATH, and ends its
 * whole process group when the time is over. Errors: `command_missing`, and `unexpected` when it did not end in time.
 */
export async function runOnceOnHost(command: HostCommand): Promise<Result<CommandOutput, ContainerError>> {
  await mkdir(command.folder, { recursive: true, mode: 0o700 })
  const home = await mkdtemp(join(command.folder, 'once-'))
  try {
    return await runIn(home, command)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

function runIn(home: string, command: HostCommand): Promise<Result<CommandOutput, ContainerError>> {
  const { argv, timeoutMs, toolsFolder } = command
  const [program = '', ...rest] = argv
  return new Promise((resolve) => {
    const child = spawn(program, rest, {
      cwd: home,
      env: { PATH: [toolsFolder, process.env['PATH'] ?? ''].join(delimiter), HOME: home, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    const output = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        output[stream] = (output[stream] + text).slice(0, maxOutputCharacters)
      })
    let isOver = false
    const timer = setTimeout(() => {
      isOver = true
      endGroup(child.pid)
    }, timeoutMs)
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      const isMissing = error.code === 'ENOENT' || error.code === 'EACCES'
      resolve(err(problem(isMissing ? 'command_missing' : 'unexpected', error.message)))
    })
    child.on('exit', () => {
      clearTimeout(timer)
      endGroup(child.pid)
      // What it started may have left its group and hold its outputs open for ever.
      setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
      }, outputPatienceMs).unref()
    })
    child.on('close', (exitCode) => {
      resolve(
        isOver
          ? err(problem('unexpected', `${program} did not answer in time.`))
          : ok({ exitCode: exitCode ?? killedCode, ...output }),
      )
    })
  })
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // Ended already.
  }
}

const problem = (type: ContainerError['type'], message: string): ContainerError => ({
  type,
  message,
  retryable: false,
})
