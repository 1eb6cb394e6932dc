import { describe, expect, it } from 'vitest'
import type { LlmSession } from '@shared/model/records'
import { interruptedText, needsYouText, runEndedText, type EndedRunFacts } from './notification-texts'

const hour = 3_600_000

const session = (patch: Partial<LlmSession>): LlmSession => ({
  id: 1 as LlmSession['id'],
  runId: 1 as LlmSession['runId'],
  attemptId: 1 as LlmSession['attemptId'],
  mailboxId: 1 as LlmSession['mailboxId'],
  adapter: 'demo',
  provider: null,
  model: null,
  sessionName: 'agent/issue-128-x',
  nativeSessionId: '7c1e',
  resumed: false,
  resumeFallback: null,
  mode: 'resume',
  requestedSessionId: '7c1e',
  chosenSessionId: null,
  stateBytesBefore: 1_200_000,
  stateBytesAfter: null,
  stateSavedAt: 0,
  idSetAside: false,
  firstEventAt: null,
  inputTokens: null,
  cachedTokens: null,
  outputTokens: null,
  costUsd: 1.52,
  contextUsed: null,
  contextMax: null,
  turns: null,
  toolCalls: null,
  createdAt: 3.6 * hour,
  endedAt: null,
  ...patch,
})

const facts = (patch: Partial<EndedRunFacts>): EndedRunFacts => ({
  reference: '#128',
  phase: 'review_fix',
  outcome: 'succeeded',
  session: session({ resumed: true }),
  leftMemory: null,
  costUsd: 1.52,
  durationMs: 400_000,
  timeoutMs: 1_800_000,
  memoryLimitBytes: 4_000_000_000,
  commits: 1,
  keptInWorkspace: false,
  ...patch,
})

describe('notification texts', () => {
  it('says what was remembered, how large and how old it was', () => {
    expect(runEndedText(facts({}))).toEqual({
      kind: 'run-finished',
      title: 'Review fix done · #128',
      body: 'Remembered: resumed from 1.2 MB, 3h 36m old. Made 1 commit. 6m 40s · $1.52',
    })
  })

  it('says loudly that a memory was lost, and that the work is complete', () => {
    const text = runEndedText(
      facts({ session: session({ resumeFallback: 'state_missing' }), costUsd: null, commits: 2 }),
    )
    expect(text).toEqual({
      kind: 'run-finished-fallback',
      title: 'Review fix done without memory · #128',
      body: 'Its state file was gone, so it started fresh. The work is complete: 2 commits. 6m 40s',
    })
  })

  it('says of another adapter whether what the one before remembered is still there', () => {
    const changed = session({ adapter: 'codex', mode: 'fresh', resumeFallback: 'adapter_changed' })
    const body = (isRemoved: boolean) =>
      runEndedText(
        facts({
          session: changed,
          leftMemory: { letter: 'A', adapter: 'claude-code', isRemoved },
          commits: null,
        }),
      )?.body
    expect([body(false), body(true)]).toEqual([
      'Fresh with codex; memory A of claude-code is kept. 6m 40s · $1.52',
      'Fresh with codex; memory A of claude-code was removed at cleanup. 6m 40s · $1.52',
    ])
    expect(runEndedText(facts({ session: changed }))?.body).toContain(
      'Fresh with codex, which has no session here.',
    )
  })

  it('does not call a first session a loss', () => {
    const text = runEndedText(
      facts({ session: session({ mode: 'fresh', resumeFallback: 'no_prior_session' }), commits: null }),
    )
    expect(text).toMatchObject({ kind: 'run-finished', body: 'First session of this issue. 6m 40s · $1.52' })
  })

  it('says why a mailbox is blocked and where the work is', () => {
    expect(
      runEndedText(facts({ phase: 'development', outcome: 'timed_out', keptInWorkspace: true })),
    ).toEqual({
      kind: 'blocked',
      title: 'Blocked · #128',
      body: 'Development timed out after 30m. The work is kept in the workspace.',
    })
    expect(runEndedText(facts({ outcome: 'out_of_memory' }))?.body).toContain('limit 4.0 GB')
  })

  it('says nothing of a run that a person stopped or that goes on by itself', () => {
    expect(runEndedText(facts({ outcome: 'stopped' }))).toBeNull()
    expect(runEndedText(facts({ outcome: 'interrupted' }))).toBeNull()
  })

  it('names what waits for a person; blocked is told by its run', () => {
    expect(needsYouText('validate_plan', '#94', 'Sort notes', 0)).toEqual({
      kind: 'needs-you',
      title: 'The plan waits for you · #94',
      body: 'Sort notes',
    })
    expect(needsYouText('blocked', '#94', 'Sort notes', 0)).toBeNull()
  })

  it('counts the questions, and says where there is none that somebody is waited for', () => {
    const title = (questions: number) =>
      needsYouText('answer_questions', '#131', 'Pickup windows', questions)?.title
    expect([title(2), title(1), title(0)]).toEqual([
      '2 questions for you · #131',
      '1 question for you · #131',
      'Your answer is needed · #131',
    ])
  })

  it('names each thing that can wait for a person', () => {
    const titles = (['not_built', 'push_needs_person', 'unpushed_work'] as const).map(
      (needsYou) => needsYouText(needsYou, '!94', '', 0)?.title,
    )
    expect(titles).toEqual([
      'Something waits for you · !94',
      'A push waits for you · !94',
      'Unpushed work waits for you · !94',
    ])
  })

  it('says of interrupted runs that they go on by themselves', () => {
    expect(interruptedText(2)).toMatchObject({
      title: '2 runs interrupted',
      body: 'Docker stopped answering. They go on by themselves when it is back.',
    })
    expect(interruptedText(1)).toMatchObject({
      title: '1 run interrupted',
      body: 'Docker stopped answering. It goes on by itself when it is back.',
    })
  })
})
