import type { ReadStream, WriteStream } from 'node:tty'

/** The terminal that a person sits at, while its keys and its screen belong to an agent. */
export interface PersonTerminal {
  size(): { readonly columns: number; readonly rows: number }
  /** From now on every key is told as it is pressed, Ctrl+C too. */
  open(listener: TerminalListener): void
  /** Settles when it has been taken by the screen. */
  show(bytes: Uint8Array): Promise<void>
  /** Gives the terminal back as it was. */
  close(): void
  /** Settles when Enter was pressed, the window was closed, or the signal aborts. */
  untilEnter(signal: AbortSignal): Promise<void>
}

export interface TerminalListener {
  readonly onTyped: (bytes: Uint8Array) => void
  readonly onResized: () => void
  /** The window was closed. */
  readonly onGone: () => void
}

/** null: input or output is a file or a pipe. */
export function personTerminal(input: ReadStream, output: WriteStream): PersonTerminal | null {
  if (!input.isTTY || !output.isTTY) return null
  let close = (): void => undefined
  return {
    size: () => ({ columns: within(output.columns, 80), rows: within(output.rows, 24) }),
    open({ onTyped, onResized, onGone }) {
      input.setRawMode(true)
      input.on('data', onTyped)
      input.on('end', onGone)
      input.on('error', onGone)
      // The window may go while it is written to.
      output.on('error', onGone)
      output.on('resize', onResized)
      input.resume()
      close = () => {
        input.off('data', onTyped)
        output.off('resize', onResized)
        input.pause()
        try {
          input.setRawMode(false)
        } catch {
          // It is gone, and nobody looks at it any more.
        }
        output.write(leaveEverything)
      }
    },
    show: (bytes) =>
      new Promise((resolve) => {
        output.write(bytes, () => resolve())
      }),
    close: () => close(),
    untilEnter: (signal) => enterOf(input, signal),
  }
}

/** Line by line, as a terminal is that nobody has opened: what comes first ends with Enter. */
function enterOf(input: ReadStream, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of ['data', 'end', 'error']) input.off(event, done)
      signal.removeEventListener('abort', done)
      input.pause()
      resolve()
    }
    if (signal.aborted || input.readableEnded || input.destroyed) return resolve()
    for (const event of ['data', 'end', 'error']) input.on(event, done)
    signal.addEventListener('abort', done)
    input.resume()
  })
}

const within = (n: number | undefined, otherwise: number): number =>
  n === undefined || n < 1 ? otherwise : Math.min(n, 1_000)

/**
 * What an agent's screen switches on and could not switch off, since it goes on elsewhere: the alternate screen, the
 * mouse, pasting in brackets, focus reports, other keyboards, a hidden cursor, colours.
 */
const leaveEverything = [
  '\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l\u001b[?1015l',
  '\u001b[?1004l\u001b[?2004l\u001b[?2026l\u001b[?1l\u001b>',
  '\u001b[<u\u001b[>4;0m',
  '\u001b[?1049l\u001b[?25h\u001b[0m\r\n',
].join('')
