import { describe, expect, it } from 'vitest'
import { createGrokBuildAdapter } from '@main/adapters/agents/grok-build/grok-build-adapter'
import { endedStart, readSamples } from './recorded-samples'

/*
 * What the real binary printed (test/fixtures/grok-build, version 1.0.41), through parser and classifiers.
 */

const { names, exitCode, asked, text, play } = readSamples('grok-build', createGrokBuildAdapter)
const adapter = createGrokBuildAdapter()

/** Failed resumes; all others are none. */
const resumeFailures: Readonly<Record<string, string>> = {
  'resume-unknown-id': 'state_missing',
  'resume-malformed-id': 'state_missing',
  'missing-state': 'state_missing',
  'missing-summary': 'state_missing',
  'corrupt-summary': 'state_missing',
  'corrupt-all': 'state_missing',
  'err-context': 'refused',
}

/** Failures of the provider; all others are none. */
const providerFailures: Readonly<Record<string, string>> = {
  'err-401': 'login',
  'err-403': 'login',
  'err-messages-json-e401': 'login',
  'err-no-auth': 'login',
  'err-429': 'retryable',
  'err-quota': 'account_limit',
  'err-400': 'other',
  'err-404': 'other',
  'err-context': 'other',
}

describe.each(names)('%s', (name) => {
  it('is read line by line', () => {
    const { events, ended } = play(name)
    expect(events.filter(({ kind }) => kind === 'output')).toEqual([])
    // A start that failed early tells an empty id, which is none.
    const hasSession = /"session_id":"[0-9a-f]/.test(text(name))
    expect(events.filter(({ kind }) => kind === 'session')).toHaveLength(hasSession ? 1 : 0)
    const wanted = asked(name)
    if (hasSession && wanted !== null) expect(ended.sawSession).toBe(wanted)
    const hasSucceeded = exitCode(name) === 0 && ended.result?.succeeded === true
    expect(hasSucceeded).toBe(exitCode(name) === 0 && name !== 'tool-no-approve')
  })

  it('ends in the right class', () => {
    const { ended } = play(name)
    const failure = adapter.providerFailure(ended)
    expect(failure?.type ?? null).toBe(providerFailures[name] ?? null)
    if (failure !== null) expect(failure.message).not.toMatch(/^$|\n|Internal error/)
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

describe('the id of a session', () => {
  it('comes with the first line, so that another one than asked is stopped at once', () => {
    expect(play('resume').events[0]).toEqual({
      kind: 'session',
      nativeId: '11111111-2222-4333-8444-777777777701',
    })
    // That line waits for the first answer: while the CLI asks its provider again and again it prints nothing.
    expect(play('err-500').events).toEqual([])
  })
})

describe('events', () => {
  it('show what a tool answered, and that its command failed though the CLI says otherwise', () => {
    const { events } = play('tool-failing')
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'tool',
        name: 'run_terminal_command',
        summary: expect.stringMatching(/^echo hi/) as string,
      }),
    )
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'tool_result', failed: true, output: 'exit: 3\nhi\nbad\n' }),
    )
    expect(events.at(-1)).toMatchObject({
      kind: 'result',
      succeeded: true,
      text: 'all done',
      deniedTools: [],
    })
  })

  it('show the content of files, not the form in which it is told', () => {
    const outputs = play('tool-read').events.flatMap((event) =>
      event.kind === 'tool_result' ? [event.output] : [],
    )
    expect(outputs).toEqual(['exit: 0\n', 'hi\n'])
  })

  it('tell denied tools, since the CLI exits with 0', () => {
    const { events, ended } = play('tool-denied')
    expect(ended).toMatchObject({ exitCode: 0, result: { succeeded: true } })
    expect(events.at(-1)).toMatchObject({ deniedTools: ['write', 'run_terminal_command'] })
    expect(events.filter(({ kind }) => kind === 'warning')).toHaveLength(2)
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'tool_result',
        failed: false,
        output: 'The file /alfred/out/yes.txt has been created.',
      }),
    )
  })

  it('end badly where nobody was there to allow a tool, though the CLI exits with 0', () => {
    const { events, ended } = play('tool-no-approve')
    expect(ended).toMatchObject({ exitCode: 0, result: { succeeded: false } })
    expect(events.at(-1)).toMatchObject({ deniedTools: ['run_terminal_command'] })
  })
})

describe('figures', () => {
  const usageOf = (name: string) => play(name).events.findLast(({ kind }) => kind === 'usage')
  it('are those of the run', () => {
    expect(usageOf('resume')).toMatchObject({ inputTokens: 102, cachedTokens: 20, outputTokens: 7, turns: 1 })
    expect(usageOf('tool-read')).toMatchObject({
      inputTokens: 303,
      outputTokens: 21,
      costUsd: null,
      turns: 3,
    })
  })
})

describe('a failure', () => {
  it('is ambiguous where nothing was said of the session', () => {
    expect(adapter.resumeFailure(play('session-id-exists').ended)).toBeNull()
    expect(adapter.resumeFailure(play('err-no-auth').ended)).toBeNull()
    const stderrTail = 'Session "x" not found locally, restoring conversation from remote...'
    expect(adapter.resumeFailure(endedStart({ stderrTail }))).toBe('state_missing')
    expect(adapter.resumeFailure(endedStart({ stderrTail, sawSession: 'x' }))).toBeNull()
    expect(adapter.resumeFailure(endedStart({ stderrTail, exitCode: 0 }))).toBeNull()
    expect(adapter.resumeFailure(endedStart({ stderrTail: `the agent said: ${stderrTail}` }))).toBeNull()
  })

  const resultLine = (error: string, turns: number) =>
    JSON.stringify({
      type: 'result',
      subtype: 'error_during_execution',
      is_error: true,
      num_turns: turns,
      errors: [error],
    })

  it('of a memory that is too long is one only before the agent has answered', () => {
    const resume = (turns: number) =>
      adapter.resumeFailure(
        endedStart({ stdoutTail: resultLine('x: maximum context length is 8', turns), sawSession: 'x' }),
      )
    expect(resume(0)).toBe('refused')
    expect(resume(1)).toBeNull()
  })

  it('is one of an older version where it does not know the option', () => {
    const stderrTail = "error: unexpected argument '--resume' found"
    expect(adapter.resumeFailure(endedStart({ stderrTail, exitCode: 2 }))).toBe('unsupported_version')
  })

  it('of a server is one that may be repeated', () => {
    const error = 'Internal error: {\n  "message": "API error (status 503 x): y",\n  "http_status": 503\n}'
    const failure = adapter.providerFailure(endedStart({ stdoutTail: resultLine(error, 0) }))
    expect(failure).toMatchObject({ type: 'retryable', message: 'API error (status 503 x): y' })
  })
})
