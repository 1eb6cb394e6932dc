import { describe, expect, it } from 'vitest'
import { createOpencodeAdapter } from '@main/adapters/agents/opencode/opencode-adapter'
import { endedStart, readSamples } from './recorded-samples'

/*
 * What the real binary printed (test/fixtures/opencode, versions 1.3.0 to 1.18.33), through parser and classifiers.
 */

const { names, exitCode, asked, text, play } = readSamples('opencode', createOpencodeAdapter)
const adapter = createOpencodeAdapter()

/** Failed resumes; all others are none. */
const resumeFailures: Readonly<Record<string, string>> = {
  'resume-unknown-id': 'state_missing',
  'resume-malformed-id': 'state_missing',
  'resume-by-title': 'state_missing',
  'missing-state': 'state_missing',
  // The write-ahead log held nearly everything: without it the session is not there.
  'corrupt-wal-lost': 'state_missing',
  'corrupt-wal-garbage': 'state_missing',
  'corrupt-db-garbage': 'state_missing',
  'corrupt-truncated': 'state_missing',
  'downgrade-to-1.15.0': 'unsupported_version',
  'downgrade-to-1.3.0': 'unsupported_version',
}

/** Failures of the provider; all others are none. */
const providerFailures: Readonly<Record<string, string>> = {
  'err-e401': 'login',
  'err-e429': 'retryable',
  'err-badmodel': 'other',
  'err-ctx': 'other',
}

describe.each(names)('%s', (name) => {
  it('is read line by line', () => {
    const { events, ended } = play(name)
    expect(events.filter(({ kind }) => kind === 'output')).toEqual([])
    const hasEvents = text(name).trim() !== ''
    expect(events.filter(({ kind }) => kind === 'session')).toHaveLength(hasEvents ? 1 : 0)
    const wanted = asked(name)
    if (exitCode(name) === 0 && wanted !== null) expect(ended.sawSession).toBe(wanted)
    expect(exitCode(name) === 0 && ended.result?.succeeded === true).toBe(exitCode(name) === 0)
  })

  it('ends in the right class', () => {
    const { ended } = play(name)
    if (exitCode(name) === null) return
    const failure = adapter.providerFailure(ended)
    expect(failure?.type ?? null).toBe(providerFailures[name] ?? null)
    if (failure !== null) expect(failure.message).not.toBe('')
    expect(asked(name) === null ? null : adapter.resumeFailure(ended)).toBe(resumeFailures[name] ?? null)
  })

  it('tells no figure as nothing', () => {
    for (const event of play(name).events) {
      if (event.kind !== 'usage') continue
      const { inputTokens, outputTokens, costUsd, contextUsed, turns } = event
      expect([inputTokens, outputTokens, costUsd, contextUsed, turns]).not.toContain(0)
    }
  })
})

it('every expected class belongs to a sample', () => {
  for (const name of [...Object.keys(resumeFailures), ...Object.keys(providerFailures)])
    expect(names).toContain(name)
})

describe('figures', () => {
  const usageOf = (name: string) => play(name).events.findLast(({ kind }) => kind === 'usage')

  it('are summed up over the steps of a run', () => {
    expect(usageOf('fresh-json')).toMatchObject({
      inputTokens: 111,
      cachedTokens: 0,
      outputTokens: 22,
      costUsd: 0.000155,
      contextUsed: 133,
      turns: 1,
    })
    expect(usageOf('tool-auto')).toMatchObject({
      inputTokens: 222,
      outputTokens: 44,
      costUsd: expect.closeTo(0.00031, 9) as number,
      contextUsed: 133,
      turns: 2,
    })
    expect(usageOf('tool-failing')).toMatchObject({ inputTokens: 202, cachedTokens: 40, costUsd: null })
  })

  it('are those of the run, not of the session', () =>
    expect(usageOf('resume-by-id')).toMatchObject({ inputTokens: 111, turns: 1 }))
})

describe('events', () => {
  it('show a tool and what it answered, and that its command failed', () => {
    const { events } = play('tool-failing')
    expect(events.map(({ kind }) => kind)).toEqual([
      'session',
      'text',
      'tool',
      'tool_result',
      'usage',
      'text',
      'usage',
      'result',
    ])
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'tool',
        name: 'bash',
        summary: expect.stringMatching(/^echo/) as string,
      }),
    )
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'tool_result', failed: true, output: 'hi\nbad\n' }),
    )
    expect(events.at(-1)).toMatchObject({ kind: 'result', succeeded: true, text: 'all done' })
  })

  it('tell that the model is asked again, which the CLI does without a word and without an end', () => {
    expect(play('err-midcut').events.filter(({ kind }) => kind === 'retry')).toHaveLength(4)
    expect(play('err-midcut').ended.result).toBeNull()
  })

  it('tell that the conversation was summed up, and take the word of it for no answer', () => {
    const part = { type: 'text', synthetic: true, text: 'Continue if you have next steps.' }
    const line = JSON.stringify({ type: 'text', sessionID: 's', part })
    expect(adapter.createParser().parse(line).slice(1)).toEqual([
      { kind: 'warning', message: 'The context was full: the conversation so far was summed up.' },
    ])
  })

  it('show thoughts', () => {
    const line = { type: 'reasoning', sessionID: 's', part: { type: 'reasoning', text: 'Hm.' } }
    expect(adapter.createParser().parse(JSON.stringify(line))).toContainEqual({
      kind: 'thought',
      text: 'Hm.',
    })
  })
})

describe('an end', () => {
  const finish = (reason: string) => JSON.stringify({ type: 'step_finish', sessionID: 's', part: { reason } })
  const endOf = (reason: string) => adapter.createParser().parse(finish(reason)).at(-1)

  it('is only what the agent itself ended', () => {
    expect(endOf('stop')).toMatchObject({ kind: 'result', succeeded: true })
    expect(endOf('length')).toMatchObject({ kind: 'result', succeeded: false })
    expect(endOf('content-filter')).toMatchObject({ kind: 'result', succeeded: false })
    expect(endOf('tool-calls')).toMatchObject({ kind: 'usage' })
    expect(endOf('unknown')).toMatchObject({ kind: 'usage' })
  })

  it('tells the tools that were denied, since the CLI exits with 0', () => {
    const parser = adapter.createParser()
    const rule =
      'The user has specified a rule which prevents you from using this specific tool call. Here are'
    const part = { tool: 'edit', callID: 'call_1', state: { status: 'error', input: {}, error: rule } }
    const line = JSON.stringify({ type: 'tool_use', sessionID: 's', part })
    expect(parser.parse(line)).toContainEqual({ kind: 'warning', message: 'edit was denied.' })
    expect(parser.parse(finish('stop')).at(-1)).toMatchObject({ succeeded: true, deniedTools: ['edit'] })
  })
})

describe('a failure', () => {
  const error = (name: string, data: object) =>
    JSON.stringify({ type: 'error', sessionID: 's', error: { name, data } })
  const failureOf = (name: string, data: object) =>
    adapter.providerFailure(endedStart({ stdoutTail: error(name, data) }))

  it('of the provider is told by its status', () => {
    expect(failureOf('APIError', { message: 'x', statusCode: 403 })?.type).toBe('login')
    expect(failureOf('APIError', { message: 'x', statusCode: 500 })?.type).toBe('retryable')
    expect(failureOf('APIError', { message: 'no such host', isRetryable: true })?.type).toBe('retryable')
    expect(failureOf('ProviderAuthError', { message: 'x' })?.type).toBe('login')
    expect(failureOf('UnknownError', { message: 'x' })).toBeNull()
    expect(
      failureOf('APIError', { message: 'x', statusCode: 429, responseHeaders: { 'retry-after': '30' } }),
    ).toMatchObject({ type: 'retryable', retryAfterMs: 30_000 })
    expect(
      failureOf('APIError', { message: 'x', statusCode: 429, responseBody: '{"code":"insufficient_quota"}' })
        ?.type,
    ).toBe('account_limit')
  })

  const overflow = error('ContextOverflowError', { message: 'too long' })
  const tool = JSON.stringify({
    type: 'tool_use',
    sessionID: 's',
    part: { tool: 'bash', state: { status: 'completed' } },
  })

  it('of a memory that is too long is one only before the agent has worked', () => {
    const resume = (stdoutTail: string) => adapter.resumeFailure(endedStart({ stdoutTail, sawSession: 's' }))
    expect(resume(overflow)).toBe('refused')
    expect(resume(`${tool}\n${overflow}`)).toBeNull()
    expect(resume(tool)).toBeNull()
  })

  it('of the one file of all sessions keeps new ones from beginning, too', () => {
    const says = (words: string) => endedStart({ stderrTail: `Error: Unexpected error\n\n${words}\n` })
    for (const words of ['file is not a database', 'unable to open database file']) {
      expect(adapter.resumeFailure(says(words))).toBe('state_missing')
      expect(adapter.isStateUnusable?.(says(words))).toBe(true)
    }
    for (const words of ['Error: Session not found', 'Failed query: PRAGMA wal_checkpoint(PASSIVE)'])
      expect(adapter.isStateUnusable?.(says(words))).toBe(false)
    expect(adapter.resumeFailure(says('Failed query: PRAGMA wal_checkpoint(PASSIVE)'))).toBeNull()
  })

  it('is ambiguous where the agent may have brought the words about, or nothing was written', () => {
    const stderrTail = 'Error: Session not found'
    expect(adapter.resumeFailure(endedStart({ stderrTail, stdoutTail: tool, sawSession: 's' }))).toBeNull()
    expect(adapter.resumeFailure(endedStart({ stderrTail, exitCode: 0 }))).toBeNull()
    expect(
      adapter.resumeFailure(endedStart({ stderrTail: 'the agent said: Error: Session not found' })),
    ).toBeNull()
    expect(adapter.resumeFailure(play('readonly-data').ended)).toBeNull()
  })
})
