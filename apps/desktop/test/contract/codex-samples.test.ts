import { describe, expect, it } from 'vitest'
import { createCodexAdapter } from '@main/adapters/agents/codex/codex-adapter'
import { proveResume, startProof } from '@main/core/session/prove-resume'
import { endedStart, readSamples } from './recorded-samples'

/*
 * What the real binary printed (test/fixtures/codex, versions 0.44.0 to 0.171.0), through parser and classifiers.
 */

const { names, play, exitCode, asked: askedIn, text } = readSamples('codex', () => createCodexAdapter())
const adapter = createCodexAdapter()

/** Failed resumes; all others are none. */
const resumeFailures: Readonly<Record<string, string>> = {
  'resume-unknown-id': 'state_missing',
  'resume-unknown-nil': 'state_missing',
  'resume-unknown-nohyphen': 'state_missing',
  'resume-unknown-v4': 'state_missing',
  'resume-missing-rollout': 'state_missing',
  'resume-zero-bytes': 'state_missing',
  'resume-garbage-only': 'state_missing',
  'resume-garbage-line-first': 'state_missing',
  'resume-binary-nuls': 'state_missing',
  'resume-half-first-line': 'state_missing',
  'resume-meta-missing': 'state_missing',
  'resume-unreadable-rollout': 'state_missing',
  'resume-unreadable-sessions': 'state_missing',
  'resume-readonly-sessions': 'refused',
  'resume-db-present-rollout-deleted': 'state_missing',
  'resume-db-present-sessions-dir-deleted': 'state_missing',
  'resume-db-present-zero-bytes': 'state_missing',
  'resume-whole-codex-home-moved': 'state_missing',
  'resume-sqlite-corrupt': 'state_missing',
  'v0.130.0.resume-unknown-id': 'state_missing',
  'resume-archived': 'refused',
  'resume-provider-gone': 'refused',
  'resume-provider-changed': 'refused',
}

/** Resumes that began another session instead, and exited with 0 in the end. */
const otherSession: readonly string[] = [
  'resume-malformed-id',
  'resume-empty-id',
  'resume-unknown-path',
  'name.resume-unknown-name',
  'name.resume-by-name-case',
  'name.resume-by-name-other-cwd',
  'name.resume-by-name-only-sessions-dir',
  'v0.44.0.resume-unknown-id',
  'v0.44.0.resume-malformed-id',
  'v0.99.0.resume-unknown-id',
  'v0.99.0.resume-malformed-id',
  'v0.130.0.resume-malformed-id',
]

/** Failures of the provider; all others are none. */
const providerFailures: Readonly<Record<string, string>> = {
  'api-error-401': 'login',
  'api-error-403': 'login',
  'no-api-key': 'login',
  'resume-api-error-401': 'login',
  'api-error-429': 'retryable',
  'api-error-429-default-retries': 'retryable',
  'api-error-500': 'retryable',
  'api-error-500-default-retries': 'retryable',
  'api-error-503': 'retryable',
  'api-error-drop': 'retryable',
  'api-error-midstream': 'retryable',
  'stream-idle-timeout': 'retryable',
  'api-error-quota': 'account_limit',
  'api-error-400': 'other',
  'api-error-404': 'other',
  'api-error-toolong': 'other',
}

const kindsOf = (name: string): readonly string[] => play(name).events.map(({ kind }) => kind)

describe.each(names)('%s', (name) => {
  const asked = askedIn(name)

  it('is read line by line', () => {
    const { events, ended } = play(name)
    expect(events.filter(({ kind }) => kind === 'output')).toEqual([])
    expect(events.filter(({ kind }) => kind === 'session')).toHaveLength(
      text(name).includes('thread.started') ? 1 : 0,
    )
    expect(ended.result?.succeeded === true).toBe(exitCode(name) === 0)
  })

  it('ends in the right class', () => {
    const { ended } = play(name)
    const failure = adapter.providerFailure(ended)
    expect(failure?.type ?? null).toBe(providerFailures[name] ?? null)
    if (failure !== null) expect(failure.message).not.toBe('')
    expect(asked === null ? null : adapter.resumeFailure(ended)).toBe(resumeFailures[name] ?? null)
  })

  it('began the session that was asked for, or is stopped', () => {
    const { sawSession } = play(name).ended
    if (asked === null || sawSession === null) return
    // The CLI writes an id in its own way; Alfred only ever asks for one in that way.
    const proof = startProof({
      asked: asked.toLowerCase(),
      isOwn: false,
      isOff: false,
      isByGrowth: false,
      pattern: adapter.sessionIdPattern,
    })
    const isNamed = !adapter.sessionIdPattern.test(asked.toLowerCase())
    const stop = proveResume(proof, { nativeId: sawSession }).stop
    expect(stop).toBe(otherSession.includes(name) || isNamed ? 'state_missing' : null)
  })
})

it('every expected class belongs to a sample', () => {
  for (const name of [...Object.keys(resumeFailures), ...otherSession, ...Object.keys(providerFailures)])
    expect(names).toContain(name)
})

describe('figures', () => {
  const usageOf = (name: string) => play(name).events.findLast(({ kind }) => kind === 'usage')

  it('are sums over the session, without what came from the cache', () => {
    expect(usageOf('fresh')).toMatchObject({
      inputTokens: 81,
      cachedTokens: 20,
      outputTokens: 7,
      isOfSession: true,
    })
    expect(usageOf('resume')).toMatchObject({ inputTokens: 163, cachedTokens: 40, outputTokens: 14 })
    expect(usageOf('v0.44.0.fresh')).toMatchObject({ inputTokens: 81, outputTokens: 7 })
  })

  it('of the context stand in the session, after each answer of the model', () => {
    const count = (total: number, window: number | null) =>
      JSON.stringify({
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: { last_token_usage: { total_tokens: total }, model_context_window: window },
        },
      })
    const noInfo = '{"type":"event_msg","payload":{"type":"token_count","info":null}}'
    const said = '{"type":"response_item","payload":{"text":"\\"token_count\\""}}'
    const figures = (...lines: readonly string[]) => adapter.figuresInState?.(lines)
    expect(figures(count(108, 475_000), said, count(217, 475_000), noInfo, said, '')).toEqual({
      contextUsed: 217,
      contextMax: 475_000,
    })
    expect(figures(count(108, null))).toEqual({ contextUsed: 108, contextMax: null })
    for (const lines of [[], [said, noInfo, 'torn "token_count"'], [count(0, 475_000)]])
      expect(figures(...lines)).toBeNull()
  })

  it('begin in a copy with what its file says was used', () => {
    const count = (sums: object | null): string =>
      JSON.stringify({
        type: 'event_msg',
        payload: { type: 'token_count', info: sums === null ? null : { total_token_usage: sums } },
      })
    const first = count({ input_tokens: 101, cached_input_tokens: 20, output_tokens: 7 })
    const last = count({ input_tokens: 203, cached_input_tokens: 40, output_tokens: 14 })
    const used = { inputTokens: 163, cachedTokens: 40, outputTokens: 14 }
    expect(adapter.sumsInState?.([first, last, count(null), 'torn "token_count"'])).toEqual(used)
    for (const lines of [[], [count(null)], [count({ input_tokens: -1 })]])
      expect(adapter.sumsInState?.(lines)).toBeNull()
  })

  it('are no more than the CLI tells: no price, no context', () =>
    expect(usageOf('fresh')).toMatchObject({
      costUsd: null,
      contextUsed: null,
      contextMax: null,
      turns: null,
    }))
})

describe('events', () => {
  it('show commands as they were written, with what they answered', () => {
    expect(play('tool-use').events.slice(1, -1)).toMatchObject([
      { kind: 'text', text: 'Running a command.' },
      { kind: 'tool', name: 'shell', summary: 'echo tool-output-1; id -u', callId: 'item_1' },
      { kind: 'tool_result', callId: 'item_1', failed: false, output: 'tool-output-1\n0\n' },
      { kind: 'text' },
      { kind: 'usage' },
    ])
    expect(play('tool-use-failing').events).toContainEqual(
      expect.objectContaining({ kind: 'tool_result', failed: true, output: 'oops\n' }),
    )
  })

  it('show changed files', () => {
    const { events } = play('tool-use-apply-patch')
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'tool', name: 'edit', summary: '/workspace/n.txt' }),
    )
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'tool_result', output: 'add /workspace/n.txt', failed: false }),
    )
  })

  it('tell tries from errors, and each error once', () => {
    expect(kindsOf('api-error-500')).toEqual(['session', 'retry', 'error', 'result'])
    expect(kindsOf('no-api-key')).toEqual(['session', 'warning', 'error', 'result'])
    expect(kindsOf('reasoning')).toEqual(['session', 'thought', 'text', 'usage', 'result'])
  })

  it('warn of a transcript that is not saved', () =>
    expect(play('fresh-readonly-sessions').events).toContainEqual({
      kind: 'warning',
      message: expect.stringContaining('Failed to save the conversation transcript') as string,
    }))
})

describe('an ambiguous failure', () => {
  const missing = 'Error: thread/resume: thread/resume failed: no rollout found for thread id x (code -32600)'

  it('is one that something else than the CLI could have written', () => {
    expect(adapter.resumeFailure(endedStart({ stderrTail: missing }))).toBe('state_missing')
    expect(adapter.resumeFailure(endedStart({ stderrTail: `a tool says: ${missing}` }))).toBeNull()
    expect(adapter.resumeFailure(endedStart({ stderrTail: missing, sawSession: 'x' }))).toBeNull()
    expect(adapter.resumeFailure(endedStart({ stderrTail: missing, exitCode: 0 }))).toBeNull()
  })

  it('is a home that cannot be written, and a session that another process holds', () => {
    for (const name of ['resume-readonly-codex-home', 'concurrent-resume-A'])
      expect(adapter.resumeFailure(play(name).ended)).toBeNull()
  })

  it('of the version before is told by its own words', () => {
    const says = (stderrTail: string) => adapter.resumeFailure(endedStart({ stderrTail }))
    expect(says('Error: failed to parse thread ID from rollout file\n')).toBe('state_missing')
    expect(
      says(
        'Error: Fatal error: Codex cannot access session files at /home/agent/.codex/sessions (permission denied).',
      ),
    ).toBe('refused')
    // Of which file, it does not say.
    expect(says('Error: Permission denied (os error 13)\n')).toBeNull()
  })

  it('is a thread that grew too long only after the run had gone on', () => {
    const { ended: long } = play('api-error-toolong')
    expect(adapter.resumeFailure(long)).toBe('refused')
    const worked = '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"x"}}\n'
    const [first = '', ...others] = long.stdoutTail.split('\n')
    const later = [first, worked, ...others].join('\n')
    expect(adapter.resumeFailure({ ...long, stdoutTail: later })).toBeNull()
    expect(adapter.resumeFailure({ ...long, stdoutTail: others.join('\n') })).toBeNull()
  })

  it('is also a CLI that does not know another option', () => {
    const option = (word: string) =>
      endedStart({ exitCode: 2, stderrTail: `error: unexpected argument '${word}' found` })
    expect(adapter.resumeFailure(option('--json'))).toBeNull()
    expect(adapter.resumeFailure(option('01a227a5-df37-76c2-a883-a8c71c10dd0b'))).toBe('unsupported_version')
  })
})
