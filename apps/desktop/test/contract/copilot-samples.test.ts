import { describe, expect, it } from 'vitest'
import { createCopilotAdapter } from '@main/adapters/agents/copilot/copilot-adapter'
import { tellsIdLast } from '@shared/model/tells-id-last'
import { endedStart, readSamples } from './recorded-samples'

/*
 * What the real binary printed (test/fixtures/copilot, versions 1.0.60 and 1.0.102), through parser and classifiers.
 */

const { names, exitCode, asked, text, play } = readSamples('copilot', createCopilotAdapter)
const adapter = createCopilotAdapter()

/** Failed resumes; all others are none. */
const resumeFailures: Readonly<Record<string, string>> = {
  'resume-unknown-id': 'state_missing',
  'resume-malformed-id': 'state_missing',
  'missing-state': 'state_missing',
  'missing-events': 'state_missing',
  'empty-session-dir': 'state_missing',
  'corrupt-events-empty': 'state_missing',
  'corrupt-events-garbage': 'state_missing',
}

/** Failures of the provider; all others are none. */
const providerFailures: Readonly<Record<string, string>> = {
  'err-e401': 'login',
  'err-no-auth': 'login',
  'err-e429': 'retryable',
  'err-e500': 'retryable',
  'err-drop': 'retryable',
  'err-midcut': 'retryable',
  'err-refused': 'retryable',
  'err-badmodel': 'other',
  'err-ctx': 'other',
}

const isUuid = (id: string): boolean => adapter.sessionIdPattern.test(id)

describe.each(names)('%s', (name) => {
  it('is read line by line', () => {
    const { events, ended } = play(name)
    expect(events.filter(({ kind }) => kind === 'output')).toEqual([])
    const hasResult = text(name).includes('"type":"result"')
    expect(events.filter(({ kind }) => kind === 'session')).toHaveLength(hasResult ? 1 : 0)
    const wanted = asked(name)
    if (exitCode(name) === 0 && wanted !== null && isUuid(wanted)) expect(ended.sawSession).toBe(wanted)
    expect(ended.result?.succeeded === true).toBe(exitCode(name) === 0)
  })

  it('ends in the right class', () => {
    const { ended } = play(name)
    const failure = adapter.providerFailure(ended)
    expect(failure?.type ?? null).toBe(providerFailures[name] ?? null)
    if (failure !== null) expect(failure.message).not.toBe('')
    expect(asked(name) === null ? null : adapter.resumeFailure(ended)).toBe(resumeFailures[name] ?? null)
  })
})

it('every expected class belongs to a sample', () => {
  for (const name of [...Object.keys(resumeFailures), ...Object.keys(providerFailures)])
    expect(names).toContain(name)
})

describe('the id of a session', () => {
  it('comes with the last line only', () => {
    const { events } = play('fresh-json')
    expect(events.map(({ kind }) => kind)).toEqual([
      'usage',
      'partial',
      'partial',
      'text',
      'session',
      'result',
    ])
    expect(events).toContainEqual({ kind: 'session', nativeId: '11111111-2222-4333-8444-555555555555' })
    expect(tellsIdLast(adapter.id)).toBe(true)
  })

  it('never comes where the CLI ends before, so it is chosen for it', () => {
    expect(play('readonly-session-state').ended.sawSession).toBeNull()
    expect(adapter.choosesId).toBe(true)
  })

  it('that nobody knows is the one of a new session where it is not asked for by --resume', () => {
    const { ended } = play('session-id-unknown')
    expect(ended).toMatchObject({ exitCode: 0, sawSession: '99999999-2222-4333-8444-555555555556' })
  })
})

describe('events', () => {
  it('show a tool, what it answered, and how full the context is', () => {
    const { events } = play('tool-allow-all')
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'tool',
        name: 'bash',
        summary: expect.stringMatching(/^echo/) as string,
      }),
    )
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'tool_result',
        failed: false,
        output: expect.stringMatching(/^hello-from-tool\n/) as string,
      }),
    )
    expect(events.findLast(({ kind }) => kind === 'usage')).toMatchObject({
      contextUsed: 10_389,
      contextMax: 128_000,
      turns: 2,
    })
  })

  it('tell a denied tool, since the CLI exits with 0', () => {
    const { events, ended } = play('tool-no-allow')
    expect(ended.exitCode).toBe(0)
    expect(events).toContainEqual(expect.objectContaining({ kind: 'tool_result', failed: true }))
    expect(events).toContainEqual({
      kind: 'warning',
      message: expect.stringMatching(/^bash was denied: Permission denied/) as string,
    })
    expect(events.at(-1)).toMatchObject({ kind: 'result', succeeded: true, deniedTools: ['bash'] })
  })

  it('say why it takes so long', () => {
    const retries = (name: string) => play(name).events.filter(({ kind }) => kind === 'retry')
    expect(retries('err-e429')).toHaveLength(5)
    expect(retries('err-e429')[0]).toMatchObject({
      message: 'The provider answered 429 (mock: rate limit reached); it is asked again.',
    })
    expect(retries('err-refused')[0]).toMatchObject({
      message: expect.stringMatching(/^The provider cannot be reached/) as string,
    })
  })

  it('end with the last word of the agent, or with what went wrong', () => {
    expect(play('tool-allow-all').ended.result?.text).toMatch(/^MOCK reply: users=1 assistants=1/)
    expect(play('err-e401').ended.result).toMatchObject({
      succeeded: false,
      text: expect.stringMatching(/^Authentication failed/) as string,
    })
  })

  const parse = (line: object) => adapter.createParser().parse(JSON.stringify(line))
  it('take what a subagent says for no answer', () =>
    expect(parse({ type: 'assistant.message', agentId: 'a', data: { content: 'found it' } })).toEqual([
      { kind: 'thought', text: 'found it' },
    ]))

  it('of another version of the CLI are nothing to show, unless they are no events', () => {
    const own = { type: 'session.of_tomorrow', id: 'x', timestamp: '2026-01-01T00:00:00Z', data: {} }
    expect(parse(own)).toEqual([])
    expect(parse({ type: 'session.of_tomorrow' })).toMatchObject([{ kind: 'output' }])
  })
})

describe('figures', () => {
  const record = (inputTokens: number, cacheReadTokens: number, outputTokens: number): string =>
    JSON.stringify({
      type: 'session.usage_record',
      data: { usage: { inputTokens, cacheReadTokens, outputTokens, cacheWriteTokens: 0 } },
    })

  it('of a run are those of the calls that it added to the session', () =>
    expect(
      adapter.figuresInState?.([
        'torn',
        record(121, 20, 7),
        '{"type":"session.shutdown"}',
        record(150, 30, 9),
        '',
      ]),
    ).toEqual({ inputTokens: 221, cachedTokens: 50, outputTokens: 16, contextUsed: 159 }))

  it('are unknown where no model answered', () => expect(adapter.figuresInState?.(['{}', ''])).toBeNull())
})

describe('a failure', () => {
  const error = (data: object) => JSON.stringify({ type: 'session.error', data })
  const overflow = error({
    errorType: 'query',
    message: '400 maximum context length is 100',
    statusCode: 400,
  })
  const tool = JSON.stringify({ type: 'tool.execution_complete', data: { success: true } })
  const resume = (stdoutTail: string) => adapter.resumeFailure(endedStart({ stdoutTail, sawSession: 'x' }))

  it('of a memory that is too long is one only before the agent has worked', () => {
    expect(resume(overflow)).toBe('refused')
    expect(resume(`${tool}\n${overflow}`)).toBeNull()
    expect(resume(error({ errorType: 'query', message: '404 no such model', statusCode: 404 }))).toBeNull()
  })

  it('of a session that is there and cannot be loaded is a refusal, unless it is damaged', () => {
    const stderrTail = "Error: Session 'x' was found but could not be loaded."
    expect(adapter.resumeFailure(endedStart({ stderrTail }))).toBe('refused')
  })

  it('is ambiguous where the agent may have brought the words about, or where nothing is said', () => {
    const stderrTail = "Error: No session, task, or name matched 'x'."
    expect(adapter.resumeFailure(endedStart({ stderrTail, stdoutTail: tool }))).toBeNull()
    expect(adapter.resumeFailure(endedStart({ stderrTail, exitCode: 0 }))).toBeNull()
    expect(adapter.resumeFailure(play('corrupt-workspace-yaml').ended)).toBeNull()
    expect(adapter.resumeFailure(play('readonly-session-state').ended)).toBeNull()
  })

  it('is one of an older version where it does not know the option', () => {
    const ended = (stderrTail: string) => adapter.resumeFailure(endedStart({ stderrTail, exitCode: 1 }))
    expect(ended("error: unknown option '--resume=x'")).toBe('unsupported_version')
    expect(ended("error: unexpected argument '--resume' found")).toBe('unsupported_version')
    expect(adapter.resumeFailure(play('resume-with-name').ended)).toBeNull()
  })

  it('of the account is told from one of the moment', () => {
    const typeOf = (data: object) => adapter.providerFailure(endedStart({ stdoutTail: error(data) }))?.type
    expect(typeOf({ errorType: 'quota', message: 'x', statusCode: 429 })).toBe('account_limit')
    expect(typeOf({ errorType: 'query', message: 'insufficient_quota', statusCode: 429 })).toBe(
      'account_limit',
    )
    expect(typeOf({ errorType: 'query', message: 'x', statusCode: 403 })).toBe('login')
  })
})
