import { describe, expect, it } from 'vitest'
import { err, ok, type Result } from '@shared/result'
import { createOutput } from '../output'
import { runCommandLine } from '../run-command-line'
import { chatCommand } from './chat'

const push = { runId: 2, headSha: 'a', branch: 'b', commits: 2, paths: [], patch: null, patchIsCut: false }
const chat = { threadId: 1, mailboxId: 1, issue: 'test/boat#1', title: 'Run 1, analysis', isReplay: true }

/** One turn, after which the engine answers so when it is asked for what waits; `words` are options. */
async function chatOnce(pendingPush: Result<unknown, unknown>, words: readonly string[] = []) {
  const row = { runId: 2, phase: 'chat', state: 'ended', outcome: 'succeeded', requestedSessionId: null }
  const answers: Readonly<Record<string, Result<unknown, unknown>>> = {
    'chats.open': ok({ ...chat, sessionName: null, nativeSessionId: null, stateBytes: null, savedAt: null }),
    'chats.send': ok({ runId: 2 }),
    'chats.messages': ok([]),
    'runs.get': ok({ row, failure: null }),
    'runs.events': ok({ events: [] }),
    'mailboxes.pendingPush': pendingPush,
  }
  let [stdout, stderr] = ['', '']
  const code = await runCommandLine({
    words: ['chat', '1', ...words],
    program: 'alfred',
    output: createOutput(
      (text) => (stdout += text),
      (text) => (stderr += text),
    ),
    version: '1',
    signal: new AbortController().signal,
    readInput: () => Promise.resolve('Why?\n'),
    readVariable: () => null,
    connect: () =>
      Promise.resolve(
        ok({
          invoke: (channel: string) => Promise.resolve(answers[channel] ?? err({ type: 'unknown' })),
          subscribe: () => Promise.resolve(() => undefined),
          close: () => Promise.resolve(),
        }),
      ),
    restore: () => Promise.reject(new Error('nothing is restored')),
    commands: [chatCommand],
  })
  expect(code).toBe(0)
  return { stdout, stderr }
}

const unpushed = async (answer: Result<unknown, unknown>): Promise<unknown> => {
  const { stdout } = await chatOnce(answer, ['--json'])
  const lines = stdout.trim().split('\n')
  return (JSON.parse(lines.at(-1) ?? '') as Readonly<Record<string, unknown>>)['unpushed_commits']
}

const gone = ok({ ...push, commits: 0, problem: 'The branch is gone.' })
const failed = err({ type: 'unexpected', incidentId: 'i1' })

describe('commits that wait after a turn of a chat', () => {
  it('are counted for programs, and not said to be none where they could not be', async () => {
    expect(await unpushed(ok(null))).toBe(0)
    expect(await unpushed(ok({ ...push, problem: null }))).toBe(2)
    expect(await unpushed(gone)).toBeNull()
    expect(await unpushed(failed)).toBeNull()
  })

  it('are told to a person with what to do, also where they could not be looked at', async () => {
    expect((await chatOnce(ok(null))).stderr).not.toContain('pushed')
    const known = await chatOnce(ok({ ...push, problem: null }))
    expect(known.stderr).toContain('2 commits not pushed. Runs of the issue wait until you decide:')
    const { stderr } = await chatOnce(gone)
    expect(stderr).toContain('they could not be looked at: The branch is gone. Runs of the issue wait')
    expect(stderr).toContain('"alfred issue push test/boat#1 --show"')
    expect((await chatOnce(failed)).stderr).toContain('Commits may wait that are not pushed;')
  })
})
