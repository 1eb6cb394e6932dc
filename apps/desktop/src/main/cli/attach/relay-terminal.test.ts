import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { TerminalEvent } from '@shared/contract/terminals'
import type { RunId } from '@shared/model/ids'
import { err, ok, type Result } from '@shared/result'
import { createEngineClient } from '../engine-client'
import type { PersonTerminal, TerminalListener } from './person-terminal'
import { relayTerminal } from './relay-terminal'

const runId = 7 as RunId
const attachmentId = '00000000-0000-4000-8000-000000000001'

/** A person at a terminal whose run the engine has, as far as `answer` and what it tells go. */
function relayed(answer: () => Result<unknown, unknown>, watches = false) {
  const asked: string[] = []
  const channels: string[] = []
  const told: TerminalEvent[] = []
  const stop = new AbortController()
  let person: TerminalListener | null = null
  let isClosed = false
  let left = false
  const terminal: PersonTerminal = {
    size: () => ({ columns: 80, rows: 24 }),
    open: (listener) => (person = listener),
    show: () => Promise.resolve(),
    close: () => (isClosed = true),
    untilEnter: () => Promise.resolve(),
  }
  let tell: (event: TerminalEvent) => void = () => undefined
  const client = createEngineClient({
    invoke(channel, input) {
      channels.push(channel)
      if (channel !== 'terminals.type') return Promise.resolve(ok(null))
      const bytes = (input as { readonly bytes: string }).bytes
      asked.push(Buffer.from(bytes, 'base64').toString())
      return Promise.resolve(answer())
    },
    subscribe(_channel, _key, listener) {
      tell = listener
      tell(
        watches
          ? { type: 'watching', attachmentId, who: 'ben', size: null }
          : { type: 'attached', attachmentId },
      )
      return Promise.resolve(() => (left = true))
    },
    close: () => Promise.resolve(),
  })
  const end = relayTerminal({
    client,
    terminal,
    follow: (size, onEvent) =>
      client.follow('terminals', 'attach', { runId, who: 'mia', takeOver: false, watches, ...size }, onEvent),
    watches,
    onWatching: (event) => told.push(event),
    signal: stop.signal,
  })
  return {
    end,
    asked,
    channels,
    told,
    stop,
    resize: () => person?.onResized(),
    type: (text: string) => person?.onTyped(Buffer.from(text, 'latin1')),
    tell: (event: TerminalEvent) => tell(event),
    hasLetGo: () => isClosed && left,
  }
}

const busy = () => err({ type: 'busy' })

describe('the relay of a terminal', () => {
  it('asks again while what is typed is not taken, in the order in which it was typed', async () => {
    const answers = [busy(), busy()]
    const relay = relayed(() => answers.pop() ?? ok(null))
    relay.type('a')
    relay.type('b')
    while (!relay.asked.includes('b')) await wait(1)
    expect(relay.asked).toEqual(['a', 'a', 'a', 'b'])
    relay.type('c\u001cd')
    await relay.end
    expect(relay.asked.at(-1)).toBe('c')
  })

  it.each([
    ['Ctrl+\\', (relay: ReturnType<typeof relayed>) => relay.type('\u001c')],
    ['a signal', (relay: ReturnType<typeof relayed>) => relay.stop.abort()],
    ['its end', (relay: ReturnType<typeof relayed>) => relay.tell({ type: 'ended' })],
  ])('is let go of with %s, also when nothing that was typed is ever taken', async (_, letGo) => {
    const relay = relayed(busy)
    relay.type('typed ahead')
    while (relay.asked.length < 2) await wait(1)
    letGo(relay)
    await relay.end
    expect(relay.hasLetGo()).toBe(true)
  })

  it('tells whether anything was shown before it was let go of', async () => {
    const unseen = relayed(() => ok(null))
    unseen.type('\u001c')
    expect(await unseen.end).toEqual({ type: 'detached', wasShown: false })
    const seen = relayed(() => ok(null))
    await wait(0)
    seen.tell({ type: 'shown', bytes: Buffer.from('x').toString('base64') })
    seen.type('\u001c')
    expect(await seen.end).toEqual({ type: 'detached', wasShown: true })
  })

  it('that watches says who has it, once, and neither types nor sizes', async () => {
    const relay = relayed(() => ok(null), true)
    relay.tell({ type: 'watching', attachmentId, who: null, size: { columns: 90, rows: 20 } })
    relay.tell({ type: 'shown', bytes: Buffer.from('x').toString('base64') })
    relay.type('yes\r')
    relay.resize()
    while (relay.channels.length === 0) await wait(1)
    relay.type('\u0003')
    expect(await relay.end).toEqual({ type: 'detached', wasShown: true })
    expect(relay.channels).toEqual(['terminals.taken'])
    expect(relay.told).toEqual([{ type: 'watching', attachmentId, who: 'ben', size: null }])
    expect(relay.hasLetGo()).toBe(true)
  })
})
