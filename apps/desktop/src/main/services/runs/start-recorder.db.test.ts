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
function recorder(
  stored: Partial<Record<StreamName, number>> = {},
  createParser: AgentAdapter['createParser'] = createJsonLinesParser,
): StartRecorder {
  failures.length = 0
  told = 0
  return createStartRecorder({
    store: opened.store,
    clock: createSettableClock(500),
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
    feed: createRunEventFeed(),
    runId: run.id,
    startId,
    sessionId: session.id,
    adapter: { ...createDemoAdapter(), createParser },
    proof: {
      asked: id,
      isOwn: false,
      isOff: false,
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
const feed = (to: StartRecorder, text: string, stream: StreamName = 'stdout', cut = text.length): void => {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += cut) {
    const chunk = bytes.subarray(at, at + cut)
    to.take(stream, file, {
      type: 'chunk',
      bytes: chunk,
      positionAfter: { device: '1', inode: '2', offset: at + chunk.length },
    })
  }
}
const events = () =>
  opened.store.events.list(run.id, 0, 1000).map(({ kind, payload }) => ({ kind, ...(payload as object) }))
const start = () => opened.store.runs.listStarts(session.attemptId)[0]

const init = `${JSON.stringify({ type: 'init', session_id: id })}\n`
const text = (words: string): string => `${JSON.stringify({ type: 'text', text: words })}\n`

describe('the recorder of a start', () => {
  it('stores events together with the position behind them, however the bytes were cut', () => {
    const all = init + text('hé €') + text('two')
    feed(recorder(), all, 'stdout', 3)
    expect(events().map(({ kind }) => kind)).toEqual(['session', 'text', 'text'])
    expect(start()?.stdout).toEqual({ device: '1', inode: '2', offset: Buffer.byteLength(all) })
    expect(opened.store.sessions.get(session.id)).toMatchObject({
      resumed: true,
      nativeSessionId: id,
      firstEventAt: 500,
    })
  })

  it('tells readers of the session when it is proven, and not of every word', () => {
    const first = recorder()
    feed(first, init)
    expect(told).toBe(1)
    expect(opened.store.sessions.get(session.id).resumed).toBe(true)
    feed(first, text('one') + text('two'))
    expect(told).toBe(1)
  })

  it('stores what the run used, also where the CLI tells the sums of its session', () => {
    const mailboxId = seedMailbox(opened.store, 2)
    const used = { nativeSessionId: id, inputTokens: 100, cachedTokens: 20, outputTokens: 7 }
    seedEndedRun(opened.store, mailboxId, used)
    seedEndedRun(opened.store, mailboxId, { ...used, nativeSessionId: otherId })
    run = seedRun(opened.store, mailboxId)
    session = seedSession(opened.store, run, { mode: 'resume', requestedSessionId: id })
    startId = opened.store.runs.addStart(session.attemptId, 'first', 1).id
    const sums = { input_tokens: 203, cached_tokens: 40, output_tokens: 14, turns: 1 }
    feed(
      recorder({}, () => {
        const { parse } = createJsonLinesParser()
        return {
          parse: (line) =>
            parse(line).map((event) => (event.kind === 'usage' ? { ...event, isOfSession: true } : event)),
        }
      }),
      `${init}${JSON.stringify({ type: 'usage', ...sums })}\n`,
    )
    const figures = { inputTokens: 103, cachedTokens: 20, outputTokens: 7 }
    expect(opened.store.sessions.get(session.id)).toMatchObject({ ...figures, costUsd: null })
    expect(events()[1]).toMatchObject({ kind: 'usage', ...figures })
    expect(events()[1]).not.toHaveProperty('isOfSession')
  })

  it('keeps the position before a line that is not whole yet', () => {
    feed(recorder(), `${init}{"type":"te`)
    expect(start()?.stdout?.offset).toBe(Buffer.byteLength(init))
  })

  it('stores nothing twice after a restart, and goes on in the middle of a line', () => {
    const all = init + text('one') + text('two')
    const first = recorder()
    feed(first, all.slice(0, init.length + text('one').length + 5))
    feed(recorder({ stdout: start()?.stdout?.offset ?? 0 }), all)
    expect(events().map((event) => ('text' in event ? event.text : event.kind))).toEqual([
      'session',
      'one',
      'two',
    ])
  })

  it('stores a burst once and in order, before a restart and after it, packed or laid out', () => {
    const { events: stored } = opened.store
    const lines = Array.from({ length: 3_000 }, (_, number) =>
      text(`line ${number}, ${'and more '.repeat(8)}`),
    )
    const all = init + lines.join('')
    const half = all.slice(0, all.length / 2)
    feed(recorder(), half, 'stdout', 100_000)
    const offset = start()?.stdout?.offset ?? 0
    expect(offset).toBe(half.lastIndexOf('\n') + 1)
    expect(stored.latestPacked()).toBeGreaterThan(0)
    feed(recorder({ stdout: offset }), all, 'stdout', 70_000)
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

  it('takes a last line without an end once, also when that is read again', () => {
    const all = `${init}no line feed`
    const first = recorder()
    feed(first, all)
    first.end()
    const second = recorder({ stdout: start()?.stdout?.offset ?? 0 })
    feed(second, all)
    second.end()
    expect(events().map(({ kind }) => kind)).toEqual(['session', 'output'])
  })

  it('knows after a restart what it knew before: proof, last words and tails', () => {
    const all = init + text('one') + `${JSON.stringify({ type: 'result', text: 'closing words' })}\n`
    feed(recorder(), all)
    const second = recorder({ stdout: start()?.stdout?.offset ?? 0 })
    feed(second, all)
    expect([second.seenSession(), second.lastText(), second.ended(0).result]).toEqual([
      id,
      'closing words',
      { succeeded: true, text: 'closing words' },
    ])
  })

  it('tells at once that the CLI works in another session, and stores no id of it', () => {
    feed(recorder(), init.replace(id, otherId))
    expect(failures).toEqual(['state_missing'])
    expect(events()).toEqual([{ kind: 'session', nativeId: otherId, proof: 'other_id' }])
    expect(opened.store.sessions.get(session.id)).toMatchObject({ resumed: false, nativeSessionId: null })
  })

  it('takes no figures of a session that nobody asked for', () => {
    const used = `${JSON.stringify({ type: 'usage', input_tokens: 999 })}\n`
    feed(recorder(), init.replace(id, otherId) + used + text('late words'))
    expect(opened.store.sessions.get(session.id)).toMatchObject({ inputTokens: null, toolCalls: null })
    expect(events().map(({ kind }) => kind)).toEqual(['session', 'usage', 'text'])
  })

  it('lets no secret into the store', () => {
    feed(recorder(), init + text('it is hunter2'))
    feed(recorder(), 'error: hunter2\n', 'stderr')
    expect(JSON.stringify(events())).not.toContain('hunter2')
  })

  it('marks a line that is too long, and reads on behind it', () => {
    feed(recorder(), `${init}${'x'.repeat(5_000_000)}\n${text('after')}`, 'stdout', 65_536)
    expect(events().map(({ kind }) => kind)).toEqual(['session', 'output', 'cut', 'text'])
    expect(events()[2]).toMatchObject({ bytes: 5_000_001, keptBytes: expect.any(Number) })
  })

  it('keeps known figures when a later line does not know them', () => {
    const usage = (figures: object): string => `${JSON.stringify({ type: 'usage', ...figures })}\n`
    feed(recorder(), init + usage({ input_tokens: 10, cost_usd: 0.5 }) + usage({ output_tokens: 7 }))
    expect(opened.store.sessions.get(session.id)).toMatchObject({
      inputTokens: 10,
      costUsd: 0.5,
      outputTokens: 7,
      cachedTokens: null,
    })
  })
})
