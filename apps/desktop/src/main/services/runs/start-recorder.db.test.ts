import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createJsonLinesParser } from '../../adapters/agents/json-lines/json-lines-parser'
import { createDemoAdapter } from '../../adapters/agents/demo/demo-adapter'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun, seedSession } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import type { AgentAdapter } from '../../ports/agent-adapter'
import type { StreamFile } from '../../ports/stream-files'
import { createRunEventFeed } from './run-event-feed'
import { createStartRecorder, type StartRecorder, type StreamName } from './start-recorder'

const id = '0e8a1c34-5d21-4b7f-9c11-1234567890ab'
const otherId = '0e8a1c34-5d21-4b7f-9c11-1234567890ff'
const file = { device: '1', inode: '2' } as StreamFile

let opened: TestStore
let run: ReturnType<typeof seedRun>
let session: ReturnType<typeof seedSession>
let startId: ReturnType<TestStore['store']['runs']['addStart']>['id']
beforeEach(() => {
  opened = openTestStore()
  run = seedRun(opened.store, seedMailbox(opened.store))
  session = seedSession(opened.store, run, { mode: 'resume', requestedSessionId: id })
  startId = opened.store.runs.addStart(session.attemptId, 'first', 1).id
})
afterEach(() => opened.remove())

const failures: string[] = []
let told = 0
const news = createRunEventFeed()

function recorder(
  stored: Partial<Record<StreamName, number>> = {},
  createParser: AgentAdapter['createParser'] = createJsonLinesParser,
  asked: string | null = id,
): StartRecorder {
  failures.length = 0
  told = 0
  return createStartRecorder({
    store: opened.store,
    clock: createSettableClock(500),
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
    feed: news,
    runId: run.id,
    startId,
    startNumber: starts().findIndex((one) => one.id === startId) + 1,
    sessionId: session.id,
    adapter: { ...createDemoAdapter(), createParser },
    proof: {
      asked,
      isOwn: false,
      isOff: false,
      isByGrowth: false,
      pattern: createDemoAdapter().sessionIdPattern,
      seen: null,
    },
    storedUpTo: { stdout: stored.stdout ?? 0, stderr: stored.stderr ?? 0 },
    onProofFailed: (reason) => failures.push(reason),
    onSessionTold: () => {
      told += 1
    },
  })
}
async function feed(
  to: StartRecorder,
  text: string,
  stream: StreamName = 'stdout',
  cut = text.length,
): Promise<void> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += cut) {
    const chunk = bytes.subarray(at, at + cut)
    await to.take(stream, file, {
      type: 'chunk',
      bytes: chunk,
      positionAfter: { device: '1', inode: '2', offset: at + chunk.length },
      isFollowed: at + cut < bytes.length,
    })
  }
}
const events = () =>
  opened.store.events.list(run.id, 0, 1000).map(({ kind, payload }) => ({ kind, ...(payload as object) }))
const starts = () => opened.store.runs.listStarts(session.attemptId)
const start = () => starts()[0]
/** The attempt goes on with another start of the CLI. */
const nextStart = (kind: 'first' | 'fallback'): void => {
  startId = opened.store.runs.addStart(session.attemptId, kind, 2).id
}
const figures = () => {
  const { inputTokens, outputTokens, costUsd, turns, toolCalls } = opened.store.sessions.get(session.id)
  return { inputTokens, outputTokens, costUsd, turns, toolCalls }
}

const init = `${JSON.stringify({ type: 'init', session_id: id })}\n`
const usage = (figures: object): string => `${JSON.stringify({ type: 'usage', ...figures })}\n`
const tool = `${JSON.stringify({ type: 'tool', name: 'shell', input: {} })}\n`
/** A CLI whose figures are sums over its session. */
const sumsOfSession: AgentAdapter['createParser'] = () => {
  const { parse } = createJsonLinesParser()
  return {
    parse: (line) =>
      parse(line).map((event) => (event.kind === 'usage' ? { ...event, isOfSession: true } : event)),
  }
}
const text = (words: string): string => `${JSON.stringify({ type: 'text', text: words })}\n`

describe('the recorder of a start', () => {
  it('tells what is being written, and keeps nothing of it', async () => {
    const partial = (words: string): string => `${JSON.stringify({ type: 'partial', text: words })}\n`
    const heard: (string | undefined)[] = []
    const end = news.subscribe(run.id, (told) => heard.push(told.partial))
    await feed(recorder(), init + partial('It is hunt') + partial('er2 at ') + partial('noon'))
    end()
    expect(heard).toEqual([undefined, 'It is [redacted] at'])
    expect(events().map(({ kind }) => kind)).toEqual(['session'])
    expect(start()?.stdout?.offset).toBeGreaterThan(100)
  })

  it('goes on with what was being written before a restart, from its beginning', async () => {
    const partial = (words: string): string => `${JSON.stringify({ type: 'partial', text: words })}\n`
    const before = init + partial('It is hunt')
    await feed(recorder(), before)
    const heard: (string | undefined)[] = []
    const end = news.subscribe(run.id, (told) => heard.push(told.partial))
    const again = recorder({ stdout: Buffer.byteLength(before) })
    await feed(again, before)
    expect(heard).toEqual([])
    await feed(again, partial('er2 at ') + partial('noon'))
    end()
    expect(heard).toEqual(['It is [redacted] at'])
  })

  it('stores events together with the position behind them, however the bytes were cut', async () => {
    const all = init + text('hé €') + text('two')
    await feed(recorder(), all, 'stdout', 3)
    expect(events().map(({ kind }) => kind)).toEqual(['session', 'text', 'text'])
    expect(start()?.stdout).toEqual({ device: '1', inode: '2', offset: Buffer.byteLength(all) })
    expect(opened.store.sessions.get(session.id)).toMatchObject({
      resumed: true,
      nativeSessionId: id,
      firstEventAt: 500,
    })
  })

  it('tells readers of the session when it is proven, and not of every word', async () => {
    const first = recorder()
    await feed(first, init)
    expect(told).toBe(1)
    expect(opened.store.sessions.get(session.id).resumed).toBe(true)
    await feed(first, text('one') + text('two'))
    expect(told).toBe(1)
  })

  it('stores what the run used, also where the CLI tells the sums of its session', async () => {
    const mailboxId = seedMailbox(opened.store, 2)
    const used = { nativeSessionId: id, inputTokens: 100, cachedTokens: 20, outputTokens: 7 }
    seedEndedRun(opened.store, mailboxId, used)
    seedEndedRun(opened.store, mailboxId, { ...used, nativeSessionId: otherId })
    run = seedRun(opened.store, mailboxId)
    session = seedSession(opened.store, run, { mode: 'resume', requestedSessionId: id })
    startId = opened.store.runs.addStart(session.attemptId, 'first', 1).id
    const sums = { input_tokens: 203, cached_tokens: 40, output_tokens: 14, turns: 1 }
    await feed(recorder({}, sumsOfSession), init + usage(sums))
    const figures = { inputTokens: 103, cachedTokens: 20, outputTokens: 7 }
    expect(opened.store.sessions.get(session.id)).toMatchObject({ ...figures, costUsd: null })
    expect(events()[1]).toMatchObject({ kind: 'usage', ...figures })
    expect(events()[1]).not.toHaveProperty('isOfSession')
  })

  it('keeps the position before a line that is not whole yet', async () => {
    await feed(recorder(), `${init}{"type":"te`)
    expect(start()?.stdout?.offset).toBe(Buffer.byteLength(init))
  })

  it('stores nothing twice after a restart, and goes on in the middle of a line', async () => {
    const all = init + text('one') + text('two')
    const first = recorder()
    await feed(first, all.slice(0, init.length + text('one').length + 5))
    await feed(recorder({ stdout: start()?.stdout?.offset ?? 0 }), all)
    expect(events().map((event) => ('text' in event ? event.text : event.kind))).toEqual([
      'session',
      'one',
      'two',
    ])
  })

  it('stores a burst once and in order, before a restart and after it, packed or laid out', async () => {
    const { events: stored } = opened.store
    const lines = Array.from({ length: 3_000 }, (_, number) =>
      text(`line ${number}, ${'and more '.repeat(8)}`),
    )
    const all = init + lines.join('')
    const half = all.slice(0, all.length / 2)
    await feed(recorder(), half, 'stdout', 100_000)
    const offset = start()?.stdout?.offset ?? 0
    expect(offset).toBe(half.lastIndexOf('\n') + 1)
    expect(stored.latestPacked()).toBeGreaterThan(0)
    await feed(recorder({ stdout: offset }), all, 'stdout', 70_000)
    expect(start()?.stdout?.offset).toBe(all.length)
    const printed = () =>
      stored
        .list(run.id, 1, 10_000)
        .map(({ payload }) => `${JSON.stringify({ type: 'text', ...(payload as object) })}\n`)
        .join('')
    expect(printed()).toBe(lines.join(''))
    while (stored.unpackSome());
    expect(stored.latestPacked()).toBe(0)
    expect(printed()).toBe(lines.join(''))
  })

  it('takes a last line without an end once, also when that is read again', async () => {
    const all = `${init}no line feed`
    const first = recorder()
    await feed(first, all)
    await first.end()
    const second = recorder({ stdout: start()?.stdout?.offset ?? 0 })
    await feed(second, all)
    await second.end()
    expect(events().map(({ kind }) => kind)).toEqual(['session', 'output'])
  })

  it('knows after a restart what it knew before: proof, last words and tails', async () => {
    const all = init + text('one') + `${JSON.stringify({ type: 'result', text: 'closing words' })}\n`
    await feed(recorder(), all)
    const second = recorder({ stdout: start()?.stdout?.offset ?? 0 })
    await feed(second, all)
    expect([second.seenSession(), second.lastText(), second.ended(0).result]).toEqual([
      id,
      'closing words',
      { succeeded: true, text: 'closing words' },
    ])
  })

  it('tells at once that the CLI works in another session, and stores no id of it', async () => {
    await feed(recorder(), init.replace(id, otherId))
    expect(failures).toEqual(['state_missing'])
    expect(events()).toEqual([{ kind: 'session', nativeId: otherId, proof: 'other_id' }])
    expect(opened.store.sessions.get(session.id)).toMatchObject({ resumed: false, nativeSessionId: null })
  })

  it('charges what a session used that nobody asked for, and takes nothing else from it', async () => {
    const used = usage({ input_tokens: 999, cost_usd: 0.5, context_used: 70 })
    await feed(recorder(), init.replace(id, otherId) + used + text('late words'))
    expect(opened.store.sessions.get(session.id)).toMatchObject({
      inputTokens: 999,
      costUsd: 0.5,
      contextUsed: null,
      nativeSessionId: null,
    })
    expect(events().map(({ kind }) => kind)).toEqual(['session', 'usage', 'text'])
  })

  it('lets no secret into the store', async () => {
    await feed(recorder(), init + text('it is hunter2'))
    await feed(recorder(), 'error: hunter2\n', 'stderr')
    expect(JSON.stringify(events())).not.toContain('hunter2')
  })

  it('marks a line that is too long, and reads on behind it', async () => {
    await feed(recorder(), `${init}${'x'.repeat(5_000_000)}\n${text('after')}`, 'stdout', 65_536)
    expect(events().map(({ kind }) => kind)).toEqual(['session', 'output', 'cut', 'text'])
    expect(events()[2]).toMatchObject({ bytes: 5_000_001, keptBytes: expect.any(Number) })
  })

  it('keeps known figures when a later line does not know them', async () => {
    await feed(recorder(), init + usage({ input_tokens: 10, cost_usd: 0.5 }) + usage({ output_tokens: 7 }))
    expect(opened.store.sessions.get(session.id)).toMatchObject({
      inputTokens: 10,
      costUsd: 0.5,
      outputTokens: 7,
      cachedTokens: null,
    })
  })

  it('adds the figures of a later start of the attempt to those of the earlier ones, also when it is read again', async () => {
    await feed(
      recorder(),
      init + tool + usage({ input_tokens: 10, output_tokens: 3, cost_usd: 0.5, turns: 2 }),
    )
    nextStart('first')
    const all = init + tool + tool + usage({ input_tokens: 7, cost_usd: 0.25, turns: 1 })
    await feed(recorder(), all)
    const both = { inputTokens: 17, outputTokens: 3, costUsd: 0.75, turns: 3, toolCalls: 3 }
    expect(figures()).toEqual(both)
    const again = recorder({ stdout: all.length })
    await feed(again, all)
    expect(figures()).toEqual(both)
    await feed(again, usage({ cost_usd: 0.5 }))
    expect(figures()).toEqual({ ...both, costUsd: 1 })
  })

  it('counts nothing twice where the sums of a session hold what an earlier start of the attempt used', async () => {
    await feed(recorder({}, sumsOfSession), init + usage({ input_tokens: 100, output_tokens: 7 }))
    nextStart('first')
    await feed(recorder({}, sumsOfSession), init + usage({ input_tokens: 150, output_tokens: 9 }))
    expect(figures()).toMatchObject({ inputTokens: 150, outputTokens: 9 })
  })

  it('takes off what was used in that session only, also where a row holds two of them', async () => {
    await feed(recorder({}, sumsOfSession), init + usage({ input_tokens: 100 }))
    nextStart('fallback')
    const ofOther = init.replace(id, otherId)
    await feed(recorder({}, sumsOfSession, null), ofOther + usage({ input_tokens: 40 }))
    expect(figures()).toMatchObject({ inputTokens: 140 })
    opened.store.runs.update(run.id, { state: 'ended', outcome: 'succeeded' })
    run = seedRun(opened.store, run.mailboxId)
    session = seedSession(opened.store, run, { mode: 'resume', requestedSessionId: otherId })
    nextStart('first')
    await feed(recorder({}, sumsOfSession, otherId), ofOther + usage({ input_tokens: 65 }))
    expect(figures()).toMatchObject({ inputTokens: 25 })
  })

  it('takes off what a session had used before it was brought in', async () => {
    const mailboxId = seedMailbox(opened.store, 2)
    const none = { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0, toolCalls: 0 }
    const copied = seedEndedRun(opened.store, mailboxId, { nativeSessionId: id, ...none })
    const before = { start: 0, nativeSessionId: id, inputTokens: 100, outputTokens: 7 }
    opened.store.sessions.noteUsed(copied.id, before, 15)
    expect(opened.store.sessions.get(copied.id)).toMatchObject(none)
    run = seedRun(opened.store, mailboxId)
    session = seedSession(opened.store, run, { mode: 'resume', requestedSessionId: id })
    nextStart('first')
    await feed(recorder({}, sumsOfSession), init + usage({ input_tokens: 160, output_tokens: 10 }))
    expect(figures()).toMatchObject({ inputTokens: 60, outputTokens: 3 })
  })
})
