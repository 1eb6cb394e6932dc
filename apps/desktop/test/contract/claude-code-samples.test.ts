import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createClaudeCodeAdapter } from '@main/adapters/agents/claude-code/claude-code-adapter'
import { createTextTail } from '@main/core/stream/text-tail'
import type { AgentEvent, EndedStart } from '@main/ports/agent-adapter'

/*
 * What the real binary printed (test/fixtures/claude-code, versions 1.0.60 to 2.1.332), through parser and classifiers.
 */

const folder = join(import.meta.dirname, '../fixtures/claude-code')
const read = (file: string): string =>
  existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : ''
const cases = z
  .record(z.string(), z.object({ exitCode: z.number(), asked: z.string().nullable() }))
  .parse(JSON.parse(read('cases.json')))
const names = Object.keys(cases)

/** Failed resumes; all others are none. */
const resumeFailures: Readonly<Record<string, string>> = {
  'resume-unknown-id': 'state_missing',
  'resume-missing-transcript': 'state_missing',
  'resume-zero-bytes': 'state_missing',
  'resume-garbage-only': 'state_missing',
  'resume-binary-nuls': 'state_missing',
  'resume-half-first-user-line': 'state_missing',
  'resume-unreadable-projects-dir': 'state_missing',
  'resume-unreadable-transcript': 'state_missing',
  'resume-after-sigkill-before-request': 'state_missing',
  'resume-after-sigkill-first-turn': 'state_missing',
  'v1.0.60.resume-unknown-id': 'state_missing',
  'v1.0.128.resume-unknown-id': 'state_missing',
  'v2.0.76.resume-unknown-id': 'state_missing',
  'v2.1.30.resume-unknown-id': 'state_missing',
  'resume-toolong': 'refused',
  'resume-toolong-summed-up': 'refused',
  'resume-413': 'refused',
}

/** Failures of the provider; all others are none. */
const providerFailures: Readonly<Record<string, string>> = {
  'api-error-401': 'login',
  'api-error-403': 'login',
  'no-credentials': 'login',
  'resume-api-error-401': 'login',
  'resume-after-failed-turn': 'login',
  'api-error-429': 'retryable',
  'api-error-500': 'retryable',
  'api-error-500-default-retries': 'retryable',
  'api-error-529': 'retryable',
  'api-error-dns': 'retryable',
  'api-error-refused': 'retryable',
  'api-timeout-hanghead': 'retryable',
  'api-error-quota': 'account_limit',
  'api-error-400': 'other',
  'api-error-404': 'other',
  'api-error-413': 'other',
  'api-error-toolong': 'other',
  'bad-model-alias': 'other',
  'resume-toolong': 'other',
  'resume-toolong-summed-up': 'other',
  'resume-413': 'other',
}

function play(name: string): { readonly events: readonly AgentEvent[]; readonly ended: EndedStart } {
  const adapter = createClaudeCodeAdapter()
  const parser = adapter.createParser()
  const tail = createTextTail()
  const lines = read(`${name}.stream.jsonl`).split('\n')
  const events = lines.flatMap((line) => {
    tail.add(line)
    return parser.parse(line)
  })
  const session = events.find(({ kind }) => kind === 'session')
  const result = events.findLast(({ kind }) => kind === 'result')
  return {
    events,
    ended: {
      exitCode: cases[name]!.exitCode,
      stdoutTail: tail.text(),
      stderrTail: read(`${name}.stderr.txt`),
      sawSession: session?.kind === 'session' ? session.nativeId : null,
      result: result?.kind === 'result' ? { succeeded: result.succeeded, text: result.text } : null,
    },
  }
}

const usageOf = (name: string) => play(name).events.findLast(({ kind }) => kind === 'usage')
const textsOf = (name: string, kind: 'text' | 'thought'): readonly string[] =>
  play(name).events.flatMap((event) => (event.kind === kind ? [event.text] : []))

describe.each(names)('%s', (name) => {
  const { exitCode, asked } = cases[name]!

  it('is read line by line', () => {
    const { events, ended } = play(name)
    expect(events.filter(({ kind }) => kind === 'output')).toEqual([])
    // A final line without a beginning carries an id that is nobody's.
    const sessions = events.filter(({ kind }) => kind === 'session').length
    expect(sessions).toBe((read(`${name}.stream.jsonl`).match(/"subtype":\s?"init"/g) ?? []).length)
    const isDone = exitCode === 0 && ended.result?.succeeded === true
    expect(isDone).toBe(exitCode === 0 && name !== 'killed-sigint-midstream')
  })

  it('ends in the right class', () => {
    const adapter = createClaudeCodeAdapter()
    const { ended } = play(name)
    const failure = adapter.providerFailure(ended)
    expect(failure?.type ?? null).toBe(providerFailures[name] ?? null)
    if (failure !== null) expect(failure.message).not.toBe('')
    expect(asked === null ? null : adapter.resumeFailure(ended)).toBe(resumeFailures[name] ?? null)
  })

  it('tells no figure as nothing', () => {
    for (const event of play(name).events) {
      if (event.kind === 'usage') {
        const { inputTokens, outputTokens, costUsd, contextUsed, contextMax, turns } = event
        expect([inputTokens, outputTokens, costUsd, contextUsed, contextMax, turns]).not.toContain(0)
      }
    }
  })
})

it('every expected class belongs to a sample', () => {
  for (const name of [...Object.keys(resumeFailures), ...Object.keys(providerFailures)])
    expect(names).toContain(name)
})

describe('figures', () => {
  it('are those of the run, not of the session', () => {
    const fresh = { inputTokens: 111, cachedTokens: 20, outputTokens: 7, costUsd: 0.000598 }
    expect(usageOf('fresh')).toMatchObject({ ...fresh, contextUsed: 132, contextMax: 1_000_000, turns: 1 })
    expect(usageOf('resume')).toMatchObject({
      inputTokens: 112,
      cachedTokens: 20,
      outputTokens: 7,
      costUsd: 0.000602,
      contextMax: 1_000_000,
      turns: 1,
    })
    expect(usageOf('fork')).toMatchObject({ inputTokens: 114, costUsd: 0.00061 })
    expect(usageOf('v2.1.30.resume')).toMatchObject({ inputTokens: 112, costUsd: 0.0004545 })
    expect(usageOf('v1.0.60.fresh')).toMatchObject({ inputTokens: 111, outputTokens: 8, contextMax: null })
  })

  it('are known of a run that was interrupted, and unknown of one that no model answered', () => {
    expect(usageOf('killed-sigint-midstream')).toMatchObject({
      inputTokens: 112,
      costUsd: expect.closeTo(0.000542, 9) as number,
    })
    expect(usageOf('api-error-500')).toMatchObject({ inputTokens: null, costUsd: null, contextUsed: null })
    expect(usageOf('killed-sigterm-midstream')).toBeUndefined()
    expect(usageOf('killed-sigterm-in-tool')).toMatchObject({
      contextUsed: 132,
      inputTokens: null,
      turns: 1,
    })
  })

  it.each(['tool-use-allowed', 'tool-use-write-allowed'])(
    'count the turns of %s on the way as the last line does at the end',
    (name) => {
      const turns = play(name).events.flatMap((event) => (event.kind === 'usage' ? [event.turns] : []))
      expect(turns.length).toBeGreaterThan(1)
      expect(turns.at(-2)).toBe(turns.at(-1))
    },
  )
})

describe('events', () => {
  it('show tools, what they answered, and what was denied', () => {
    const { events } = play('tool-use-denied-default-mode')
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'tool', name: 'Bash', summary: 'touch /workspace/a.txt && echo made' }),
    )
    expect(events).toContainEqual(expect.objectContaining({ kind: 'tool_result', failed: true }))
    expect(events).toContainEqual({
      kind: 'warning',
      message: expect.stringMatching(/^Bash was denied: touch in/) as string,
    })
    expect(events.at(-1)).toMatchObject({ kind: 'result', succeeded: true, deniedTools: ['Bash'] })
    expect(play('tool-use-failing-cmd').events).toContainEqual(
      expect.objectContaining({ kind: 'tool_result', failed: true }),
    )
  })

  it('tell thoughts from texts, and errors of the provider from both', () => {
    expect(textsOf('thinking', 'thought')).toHaveLength(1)
    expect(textsOf('fresh', 'text')).toEqual(['MOCK-OK turn=1'])
    expect(textsOf('api-error-401', 'text')).toEqual([])
    expect(play('api-error-401').events).toContainEqual({
      kind: 'error',
      message: 'Invalid API key · Fix external API key',
    })
  })

  it('say why it takes so long', () => {
    expect(play('retry-then-ok-500x2').events.filter(({ kind }) => kind === 'retry')).toHaveLength(2)
    expect(play('api-error-dns').events).toContainEqual(
      expect.objectContaining({
        kind: 'retry',
        message: expect.stringContaining('cannot be reached') as string,
      }),
    )
    expect(play('resume-toolong-summed-up').events).toContainEqual({
      kind: 'warning',
      message: 'The context was full: the conversation so far was summed up.',
    })
  })

  it('tell a denied tool once, also where only the final line does', () => {
    const parser = createClaudeCodeAdapter().createParser()
    const denied = { tool_name: 'Bash', tool_use_id: 'toolu_1', tool_input: {} }
    const line = { type: 'result', subtype: 'success', result: 'x', permission_denials: [denied, denied] }
    expect(parser.parse(JSON.stringify(line))).toEqual([
      { kind: 'warning', message: 'Bash was denied.' },
      { kind: 'result', succeeded: true, text: 'x', deniedTools: ['Bash'] },
    ])
    const warnings = play('tool-use-denied-default-mode').events.filter(({ kind }) => kind === 'warning')
    expect(warnings).toHaveLength(1)
  })

  it('take what a subagent says for no answer', () => {
    const line = JSON.stringify({
      type: 'assistant',
      parent_tool_use_id: 'toolu_1',
      message: { id: 'm', content: [{ type: 'text', text: 'found it' }], usage: { input_tokens: 9 } },
    })
    expect(createClaudeCodeAdapter().createParser().parse(line)).toEqual([
      { kind: 'thought', text: 'found it' },
    ])
  })
})

describe('an account that is used up', () => {
  it('is told from a provider with too much to do by the time that was told', () => {
    const lines = (status: string): string =>
      [
        { type: 'rate_limit_event', rate_limit_info: { status, resetsAt: 1_800_000_000 } },
        { type: 'assistant', message: { content: 'Request rejected (429)' }, error: 'rate_limit' },
        { type: 'result', subtype: 'success', is_error: true, api_error_status: 429, result: 'x' },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n')
    const failureOf = (status: string) =>
      createClaudeCodeAdapter().providerFailure({
        exitCode: 1,
        stdoutTail: lines(status),
        stderrTail: '',
        sawSession: 'x',
        result: null,
      })
    expect(failureOf('rejected')).toMatchObject({ type: 'account_limit', retryAt: 1_800_000_000_000 })
    expect(failureOf('allowed_warning')).toMatchObject({ type: 'retryable' })
  })
})

describe('an ambiguous failure', () => {
  const adapter = createClaudeCodeAdapter()
  const ended = (change: Partial<EndedStart>): EndedStart => ({
    exitCode: 1,
    stdoutTail: '',
    stderrTail: '',
    sawSession: null,
    result: null,
    ...change,
  })

  it('is nothing that the words of a tool could bring about', () => {
    const stdoutTail = JSON.stringify({
      type: 'user',
      message: {
        content: [{ type: 'tool_result', content: 'No conversation found with session ID: x' }],
      },
    })
    expect(adapter.resumeFailure(ended({ stdoutTail }))).toBeNull()
    const stderrTail = 'No conversation found with session ID: x'
    expect(adapter.resumeFailure(ended({ stderrTail, sawSession: 'x' }))).toBeNull()
    expect(adapter.resumeFailure(ended({ stderrTail, exitCode: 0 }))).toBeNull()
  })

  it('is not one that an older version may not write, and says so before it begins', () => {
    const stdoutTail = JSON.stringify({
      type: 'result',
      subtype: 'error_during_execution',
      is_error: true,
      num_turns: 0,
      errors: [
        "Failed to resume session: EACCES: permission denied, open '/home/agent/.claude/projects/x.jsonl'",
      ],
    })
    expect(adapter.resumeFailure(ended({ stdoutTail }))).toBe('refused')
    expect(adapter.resumeFailure(ended({ stdoutTail, sawSession: 'x' }))).toBeNull()
  })

  it('is a conversation that grew too long only after the run had gone on', () => {
    const tooLong = (turns: number, ...before: readonly object[]): EndedStart =>
      ended({
        sawSession: 'x',
        stdoutTail: [
          ...before,
          {
            type: 'result',
            subtype: 'success',
            is_error: true,
            terminal_reason: 'prompt_too_long',
            num_turns: turns,
          },
        ]
          .map((line) => JSON.stringify(line))
          .join('\n'),
      })
    const summary = { type: 'system', subtype: 'compact_boundary' }
    expect(adapter.resumeFailure(tooLong(1))).toBe('refused')
    expect(adapter.resumeFailure(tooLong(2))).toBeNull()
    expect(adapter.resumeFailure(tooLong(2, summary))).toBe('refused')
    expect(adapter.resumeFailure(tooLong(3, summary))).toBeNull()
  })

  it('is also a CLI that does not know another option', () => {
    expect(adapter.resumeFailure(ended({ stderrTail: "error: unknown option '--resume'" }))).toBe(
      'unsupported_version',
    )
    expect(adapter.resumeFailure(ended({ stderrTail: "error: unknown option '--name'" }))).toBeNull()
  })
})
