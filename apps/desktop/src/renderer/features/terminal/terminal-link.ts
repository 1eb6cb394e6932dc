import type { TerminalEvent } from '@shared/contract/terminals'
import type { RunId } from '@shared/model/ids'
import type { engine } from '../../lib/engine-client'
import { base64Of, bytesOf } from './shown-text'

/*
 * Carries bytes between a terminal's screen in this window and the terminal that the engine holds.
 */

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** The screen that a person sees. */
export interface TerminalScreen {
  size(): TerminalSize
  /** Settles once the emulator has taken it. */
  show(bytes: Uint8Array): Promise<void>
}

export type LinkEvent = Exclude<TerminalEvent, { type: 'shown' }>

/** How a terminal is looked at: where nobody else has it, in place of who has it, or read-only beside them. */
export type TerminalWay = 'attach' | 'take_over' | 'watch'

export interface LinkOptions {
  readonly engine: Pick<typeof engine, 'command' | 'subscribe'>
  readonly screen: TerminalScreen
  readonly runId: RunId
  readonly way: TerminalWay
  readonly onEvent: (event: LinkEvent) => void
}

export interface TerminalLink {
  type(bytes: Uint8Array): void
  resized(): void
  /** Lets go of the terminal, which goes on. */
  leave(): void
}

/** How another client is told who has the terminal. */
const who = 'the window of Alfred'
/** One message holds at most this much of what is typed. */
const mostAtOnce = 64_000
/** A program that does not read its keys is asked again. */
const busyMs = 100

export function linkTerminal({ engine, screen, runId, way, onEvent }: LinkOptions): TerminalLink {
  let attachmentId: string | null = null
  /** What is shown is counted, also where this window only watches. */
  let shownId: string | null = null
  let typed: Uint8Array = new Uint8Array()
  let isTyping = false

  /** One message at a time, so that nothing typed overtakes what was typed before; what comes meanwhile goes together. */
  const sendTyped = async (): Promise<void> => {
    if (isTyping) return
    isTyping = true
    while (attachmentId !== null && typed.length > 0) {
      const part = typed.subarray(0, mostAtOnce)
      const sent = await engine.command('terminals.type', { attachmentId, bytes: base64Of(part) })
      if (!sent.ok && sent.error.type === 'busy') await new Promise((resolve) => setTimeout(resolve, busyMs))
      else typed = typed.subarray(part.length)
    }
    isTyping = false
  }

  const show = async (bytes: Uint8Array): Promise<void> => {
    await screen.show(bytes)
    if (shownId !== null && bytes.length > 0)
      await engine.command('terminals.taken', { attachmentId: shownId, bytes: bytes.length })
  }

  const resized = (): void => {
    if (attachmentId !== null) void engine.command('terminals.resize', { attachmentId, ...screen.size() })
  }

  const asked = screen.size()
  const key = { runId, who, ...asked, takeOver: way === 'take_over', watches: way === 'watch' }
  const unsubscribe = engine.subscribe('terminals.attach', key, (event) => {
    if (event.type === 'shown') return void show(bytesOf(event.bytes))
    shownId = event.type === 'attached' || event.type === 'watching' ? event.attachmentId : null
    attachmentId = event.type === 'attached' ? event.attachmentId : null
    const { columns, rows } = screen.size()
    // the window may have changed before there was anybody to tell
    if (columns !== asked.columns || rows !== asked.rows) resized()
    onEvent(event)
  })
  return {
    type(bytes) {
      if (attachmentId === null) return
      typed = joined(typed, bytes)
      void sendTyped()
    },
    resized,
    leave() {
      attachmentId = null
      shownId = null
      typed = new Uint8Array()
      unsubscribe()
    },
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
