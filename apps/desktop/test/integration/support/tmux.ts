import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { expect } from 'vitest'

const run = promisify(execFile)

/** A terminal that a test types into and looks at, as a person would: a real pseudo-terminal, kept by tmux. */
export interface Terminal {
  /** Words as they are typed. */
  type(text: string): Promise<void>
  /** Keys by their names: `Enter`, `C-c`, `C-\`. */
  press(...keys: readonly string[]): Promise<void>
  screen(): Promise<string>
  /** Waits until the screen shows it; `atMost`: longer than usual. Milliseconds. */
  shows(text: string | RegExp, atMost?: number): Promise<void>
  resize(columns: number, rows: number): Promise<void>
  /** Its exit code, once what runs in it has ended. */
  ended(): Promise<number>
  close(): Promise<void>
}

const endLine = /^\[ended with (\d+)\]/m
const patience = { timeout: 60_000, interval: 100 }

/** Runs argv in a terminal of its own, which stays when that has ended. */
export async function openTerminal(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Terminal> {
  const server = `alfred-test-${randomUUID()}`
  const tmux = async (...words: readonly string[]): Promise<string> =>
    (
      await run('tmux', ['-L', server, '-f', '/dev/null', ...words], {
        env: { ...environment, LC_ALL: 'C.UTF-8' },
      })
    ).stdout
  const shell = ['sh', '-c', '"$@"; echo "[ended with $?]"; exec sleep 600', 'sh', ...argv]
  const begin = ['new-session', '-d', '-x', '120', '-y', '40', '--', ...shell]
  await tmux('set-option', '-g', 'status', 'off', ';', ...begin)
  // Lines that the screen breaks are one, and what has left it at its top is there.
  const screen = (): Promise<string> => tmux('capture-pane', '-p', '-J', '-S', '-')
  return {
    type: async (text) => void (await tmux('send-keys', '-l', '--', text)),
    press: async (...keys) => void (await tmux('send-keys', '--', ...keys)),
    screen,
    shows: async (text, atMost = patience.timeout) => {
      const wanted = typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text)
      await expect.poll(screen, { ...patience, timeout: atMost }).toEqual(wanted)
    },
    resize: async (columns, rows) =>
      void (await tmux('resize-window', '-x', String(columns), '-y', String(rows))),
    async ended() {
      await expect.poll(screen, patience).toMatch(endLine)
      return Number(endLine.exec(await screen())?.[1])
    },
    close: async () => void (await tmux('kill-server').catch(() => '')),
  }
}
