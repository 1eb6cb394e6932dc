import { setTimeout as wait } from 'node:timers/promises'
import type { TerminalEvent } from '@shared/contract/terminals'
import type { EngineClient } from '../engine-client'
import { beforeDetachKey, leavesWatching } from './detach-key'
import type { PersonTerminal } from './person-terminal'

/*
 * Carries bytes between the person's terminal and the one that the engine holds.
 */

export type RelayEnd =
  | { readonly type: 'detached'; readonly wasShown: boolean }
  | { readonly type: 'ended' | 'engine_gone' }
  | { readonly type: 'held'; readonly who: string; readonly since: number }
  | { readonly type: 'taken_over'; readonly who: string }

export type Watching = Extract<TerminalEvent, { type: 'watching' }>

interface Relay {
  readonly client: EngineClient
  readonly terminal: PersonTerminal
  /** Asks for what is shown, for a screen of this size; settles with how to let go of it. */
  readonly follow: (size: Size, onEvent: (event: TerminalEvent) => void) => Promise<() => void>
  /** Read-only, beside who has it. */
  readonly watches?: boolean
  /** Told before anything is shown, where it is watched. */
  readonly onWatching?: (event: Watching) => void
  readonly signal: AbortSignal
}

type Size = ReturnType<PersonTerminal['size']>

/** One message holds at most this much of what is typed. */
const mostAtOnce = 64_000
/** A program that does not read its keys is asked again. */
const busyMs = 100

export async function relayTerminal(relay: Relay): Promise<RelayEnd> {
  const { client, terminal, follow, watches = false, signal } = relay
  let attachmentId: string | null = null
  let isWatching = false
  let wasShown = false
  let isOver = false
  let resolveEnd: (end: RelayEnd) => void = () => undefined
  const ended = new Promise<RelayEnd>((resolve) => (resolveEnd = resolve))
  const finish = (end: RelayEnd): void => {
    isOver = true
    resolveEnd(end)
  }
  const detach = (): void => finish({ type: 'detached', wasShown })

  const call = async (send: (id: string) => Promise<{ readonly ok: boolean; readonly error?: unknown }>) => {
    if (attachmentId === null) return true
    const sent = await send(attachmentId)
    if (sent.ok) return true
    if (typeOf(sent.error) === 'owner_gone') finish({ type: 'engine_gone' })
    return typeOf(sent.error) !== 'busy'
  }

  /** One after the other, so that nothing typed overtakes what was typed before. */
  let typing = Promise.resolve()
  const type = (typed: Uint8Array): void => {
    typing = typing.then(async () => {
      for (let start = 0; start < typed.length; start += mostAtOnce) {
        const bytes = Buffer.from(typed.subarray(start, start + mostAtOnce)).toString('base64')
        // Once it is over, what is not taken at once is lost: a program that never reads keeps nobody.
        while (
          !(await call((id) => client.call('terminals', 'type', { attachmentId: id, bytes }))) &&
          !isOver
        )
          await wait(busyMs)
      }
    })
  }

  let showing = Promise.resolve()
  const show = (bytes: Uint8Array): void => {
    showing = showing.then(async () => {
      await terminal.show(bytes)
      await call((id) => client.call('terminals', 'taken', { attachmentId: id, bytes: bytes.length }))
    })
  }

  const onEvent = (event: TerminalEvent): void => {
    switch (event.type) {
      case 'attached':
        attachmentId = event.attachmentId
        return
      case 'watching':
        attachmentId = event.attachmentId
        if (!isWatching) relay.onWatching?.(event)
        isWatching = true
        return
      case 'shown':
        wasShown = true
        return show(Buffer.from(event.bytes, 'base64'))
      case 'held':
      case 'taken_over':
      case 'ended':
        return finish(event)
    }
  }

  terminal.open({
    onTyped(typed) {
      if (watches) return leavesWatching(typed) ? detach() : undefined
      const before = beforeDetachKey(typed)
      type(before ?? typed)
      if (before !== null) detach()
    },
    onResized() {
      if (!watches)
        void call((id) => client.call('terminals', 'resize', { attachmentId: id, ...terminal.size() }))
    },
    onGone: detach,
  })
  void client.closed.then(() => finish({ type: 'engine_gone' }))
  signal.addEventListener('abort', detach, { once: true })
  if (signal.aborted) detach()
  try {
    const leave = await follow(terminal.size(), onEvent).catch(() => null)
    if (leave === null) return { type: 'engine_gone' }
    const end = await ended
    await typing
    leave()
    // What was shown last is still on its way to the screen.
    if (end.type === 'ended') await showing
    return end
  } finally {
    signal.removeEventListener('abort', detach)
    terminal.close()
  }
}

const typeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'type' in error ? error.type : null
