import { describe, expect, it } from 'vitest'
import type { TerminalEvent } from '@shared/contract/terminals'
import type { RunId } from '@shared/model/ids'
import type { engine } from '../../lib/engine-client'
import { base64Of, bytesOf } from './shown-text'
import { linkTerminal, type LinkEvent, type LinkOptions, type TerminalWay } from './terminal-link'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (base64: unknown): string => new TextDecoder().decode(bytesOf(String(base64)))
const attached = {
  type: 'attached',
  attachmentId: '5f0c8a52-6a57-4b57-9f1e-0d1d3ac8a001',
} as const satisfies TerminalEvent
const shown = (words: string): TerminalEvent => ({ type: 'shown', bytes: base64Of(bytes(words)) })
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** A link whose engine is this test: `answers` says how each typing ends. */
function linked(answers: readonly ('taken' | 'busy')[] = [], way: TerminalWay = 'attach') {
  const left = [...answers]
  const calls: { readonly channel: string; readonly input: Record<string, unknown> }[] = []
  const events: LinkEvent[] = []
  const onScreen: string[] = []
  let tell: (event: TerminalEvent) => void = () => undefined
  let isLeft = false
  let rows = 30
  const fake = {
    command: (channel: string, input: Record<string, unknown>) => {
      calls.push({ channel, input })
      const isBusy = channel === 'terminals.type' && left.shift() === 'busy'
      return Promise.resolve(isBusy ? { ok: false, error: { type: 'busy' } } : { ok: true, value: null })
    },
    subscribe: (_channel: string, key: Record<string, unknown>, listener: typeof tell) => {
      calls.push({ channel: 'attach', input: key })
      tell = listener
      return () => (isLeft = true)
    },
  }
  const link = linkTerminal({
    engine: fake as unknown as Pick<typeof engine, 'command' | 'subscribe'>,
    screen: {
      size: () => ({ columns: 100, rows }),
      show: (what) => {
        onScreen.push(new TextDecoder().decode(what))
        return Promise.resolve()
      },
    },
    runId: 7 as RunId,
    way,
    onEvent: (event) => events.push(event),
  } satisfies LinkOptions)
  const sent = (channel: string) => calls.filter((call) => call.channel === channel)
  const shrink = (): void => {
    rows = 20
    link.resized()
  }
  return {
    link,
    tell: (event: TerminalEvent) => tell(event),
    shrink,
    sent,
    events,
    onScreen,
    isLeft: () => isLeft,
  }
}

describe('linkTerminal', () => {
  it('asks with the size of the screen, and says what has reached it', async () => {
    const { tell, sent, events, onScreen } = linked()
    tell(attached)
    tell(shown('hällo'))
    await turn()
    expect(sent('attach')[0]?.input).toMatchObject({ runId: 7, columns: 100, rows: 30, takeOver: false })
    expect(events).toEqual([attached])
    expect(onScreen).toEqual(['hällo'])
    expect(sent('terminals.taken')[0]?.input).toMatchObject({ bytes: 6 })
  })

  it('tells of a screen that changed before it was attached', () => {
    const { tell, shrink, sent } = linked()
    shrink()
    expect(sent('terminals.resize')).toEqual([])
    tell(attached)
    expect(sent('terminals.resize').map(({ input }) => input)).toEqual([
      { attachmentId: attached.attachmentId, columns: 100, rows: 20 },
    ])
  })

  it('types in order, and what is not taken once more', async () => {
    const { link, tell, sent } = linked(['taken', 'busy', 'taken'])
    tell(attached)
    link.type(bytes('a'))
    link.type(bytes('b'))
    link.type(bytes('c'))
    await expect
      .poll(() => sent('terminals.type').map(({ input }) => text(input['bytes'])))
      .toEqual(['a', 'bc', 'bc'])
  })

  it('types a long text in parts', async () => {
    const { link, tell, sent } = linked()
    tell(attached)
    link.type(bytes('x'.repeat(150_000)))
    await expect
      .poll(() => sent('terminals.type').map(({ input }) => text(input['bytes']).length))
      .toEqual([64_000, 64_000, 22_000])
  })

  it.each([
    { type: 'held', who: 'alfred attach', since: 1 } as const,
    { type: 'taken_over', who: 'alfred attach' } as const,
    { type: 'ended' } as const,
  ])('types nothing where the terminal is not its own: $type', async (event) => {
    const { link, tell, sent, events } = linked()
    link.type(bytes('too early'))
    tell(attached)
    tell(event)
    link.type(bytes('too late'))
    link.resized()
    await turn()
    expect(events.at(-1)).toEqual(event)
    expect(sent('terminals.type')).toEqual([])
    expect(sent('terminals.resize')).toEqual([])
  })

  it('that only watches counts what is shown, and neither types nor sizes', async () => {
    const { link, tell, shrink, sent, events, onScreen } = linked([], 'watch')
    const { attachmentId } = attached
    const watching = { type: 'watching', attachmentId, who: 'mia', size: { columns: 80, rows: 24 } } as const
    tell(watching)
    tell(shown('seen'))
    link.type(bytes('x'))
    shrink()
    await turn()
    expect(sent('attach')[0]?.input).toMatchObject({ takeOver: false, watches: true })
    expect(events).toEqual([watching])
    expect(onScreen).toEqual(['seen'])
    expect(sent('terminals.taken')[0]?.input).toEqual({ attachmentId, bytes: 4 })
    expect([...sent('terminals.type'), ...sent('terminals.resize')]).toEqual([])
  })

  it('takes it over on wish', () => {
    expect(linked([], 'take_over').sent('attach')[0]?.input).toMatchObject({ takeOver: true, watches: false })
  })

  it('lets go of it, and sends nothing any more', async () => {
    const { link, tell, sent, isLeft } = linked()
    tell(attached)
    link.resized()
    link.leave()
    link.type(bytes('x'))
    tell(shown('y'))
    await turn()
    expect(isLeft()).toBe(true)
    expect(sent('terminals.resize')).toHaveLength(1)
    expect(sent('terminals.type')).toEqual([])
    expect(sent('terminals.taken')).toEqual([])
  })
})
