import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LlmSession } from '@shared/model/records'
import type { AttemptId, MailboxId, RunId, SessionId } from '@shared/model/ids'
import { resumeFailureSchema } from '@shared/model/words'
import {
  askedSession,
  continuedSessionFields,
  initialSessionFields,
  resolveSession,
  type SessionFacts,
  type SessionPlan,
} from './resolve-session'
import { adapterForChoice } from './resume-choice'
import { isUsableSessionId } from './session-id'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const OLD_ID = '11111111-1111-4111-8111-111111111111'
const OTHER_ID = '22222222-2222-4222-8222-222222222222'
const NEW_ID = '33333333-3333-4333-8333-333333333333'

const sessionRow = (patch: Partial<LlmSession> = {}): LlmSession => ({
  id: 1 as SessionId,
  runId: 1 as RunId,
  attemptId: 1 as AttemptId,
  mailboxId: 5 as MailboxId,
  adapter: 'demo',
  provider: null,
  model: null,
  sessionName: 'agent/issue-3-x',
  nativeSessionId: OLD_ID,
  resumed: false,
  resumeFallback: 'no_prior_session',
  mode: 'fresh',
  requestedSessionId: null,
  chosenSessionId: null,
  stateBytesBefore: null,
  stateBytesAfter: null,
  stateSavedAt: null,
  idSetAside: false,
  firstEventAt: null,
  inputTokens: null,
  cachedTokens: null,
  outputTokens: null,
  costUsd: null,
  contextUsed: null,
  contextMax: null,
  turns: null,
  toolCalls: null,
  createdAt: 1000,
  endedAt: 2000,
  ...patch,
})

const facts = (patch: Partial<SessionFacts> = {}): SessionFacts => ({
  setting: { isOn: true, scope: 'app' },
  runId: 9 as RunId,
  mailbox: { id: 5 as MailboxId, kind: 'issue', memoryRemovedAt: null },
  runner: 'container',
  adapter: { id: 'demo', resumableSessions: true, choosesId: true, sessionIdPattern: UUID },
  installation: { resumable: true },
  credentialOverlap: false,
  priorOfAdapter: sessionRow(),
  priorOfAnyAdapter: sessionRow(),
  begun: null,
  hasDropped: false,
  setAside: null,
  choice: { kind: 'auto' },
  preflight: 'ok',
  sessionName: 'agent/issue-3-x',
  newId: NEW_ID,
  ...patch,
})

const none = (offReason: string) => ({ mode: 'none', offReason })
const fresh = (fallback: string | null, patch: object = {}) => ({
  mode: 'fresh',
  name: 'agent/issue-3-x',
  chosenId: NEW_ID,
  fallback,
  requestedId: null,
  idSetAside: false,
  ...patch,
})
const resume = (nativeId: string) => ({ mode: 'resume', name: 'agent/issue-3-x', nativeId })

const adapter = facts().adapter
const mailbox = facts().mailbox
const nothingBefore = { priorOfAdapter: null, priorOfAnyAdapter: null }

describe('resolveSession', () => {
  const table: readonly (readonly [string, Partial<SessionFacts>, object])[] = [
    ['resumes the prior id of the adapter', {}, resume(OLD_ID)],
    ['tries a prior id whose state nobody looked at', { preflight: 'unknown' }, resume(OLD_ID)],
    ['is fresh when there was no session', nothingBefore, fresh('no_prior_session')],
    [
      'is fresh by choice when a person dropped all there was',
      { ...nothingBefore, hasDropped: true },
      fresh(null),
    ],
    [
      'is fresh by another agent’s memory when a person dropped that of this one before',
      { priorOfAdapter: null, priorOfAnyAdapter: sessionRow({ adapter: 'codex' }), hasDropped: true },
      fresh('adapter_changed'),
    ],
    ['resumes what is left when a person dropped another memory', { hasDropped: true }, resume(OLD_ID)],
    [
      'is fresh when only another adapter had one',
      { priorOfAdapter: null, priorOfAnyAdapter: sessionRow({ adapter: 'codex' }) },
      fresh('adapter_changed'),
    ],
    [
      'chooses no id where the CLI does not take one',
      { ...nothingBefore, adapter: { ...adapter, choosesId: false } },
      fresh('no_prior_session', { chosenId: null }),
    ],
    [
      'is off when the project says so',
      { setting: { isOn: false, scope: 'project' } },
      none('switched_off_project'),
    ],
    [
      'is off when the organization says so',
      { setting: { isOn: false, scope: 'organization' } },
      none('switched_off_organization'),
    ],
    ['is off when the app says so', { setting: { isOn: false, scope: 'app' } }, none('switched_off_app')],
    ['is off for a merge request', { mailbox: { ...mailbox, kind: 'merge_request' } }, none('merge_request')],
    ['is off on the host runner', { runner: 'host' }, none('host_runner')],
    [
      'is off for an adapter that cannot resume',
      { adapter: { ...adapter, resumableSessions: false } },
      none('adapter_cannot_resume'),
    ],
    [
      'is off outside the verified versions',
      { installation: { resumable: false } },
      none('version_not_verified'),
    ],
    ['is off when no version was detected', { installation: null }, none('version_not_verified')],
    [
      'is off when the state lies over a credential mount',
      { credentialOverlap: true },
      none('credential_overlap'),
    ],
    [
      'is off also when a person chose a session',
      { runner: 'host', choice: { kind: 'session', row: sessionRow() } },
      none('host_runner'),
    ],
    ['starts fresh when a person wants it', { choice: { kind: 'fresh' } }, fresh(null)],
    [
      'starts fresh by choice also without a prior session',
      { ...nothingBefore, choice: { kind: 'fresh' } },
      fresh(null),
    ],
    [
      'resumes the session that a person chose instead of the latest',
      { choice: { kind: 'session', row: sessionRow({ nativeSessionId: OTHER_ID }) } },
      resume(OTHER_ID),
    ],
    [
      'never takes a chosen session of another mailbox',
      { choice: { kind: 'session', row: sessionRow({ mailboxId: 6 as MailboxId }) } },
      fresh('state_missing'),
    ],
    [
      'never takes a chosen session of another adapter',
      { choice: { kind: 'session', row: sessionRow({ adapter: 'codex' }) } },
      fresh('state_missing'),
    ],
    [
      'is fresh when the chosen session is gone',
      { choice: { kind: 'session', row: null } },
      fresh('state_missing'),
    ],
    [
      'spares the start when the state is missing',
      { preflight: 'missing' },
      fresh('state_missing', { requestedId: OLD_ID }),
    ],
    [
      'spares the start when the state is empty',
      { preflight: 'empty' },
      fresh('state_missing', { requestedId: OLD_ID }),
    ],
    [
      'spares the start when the state cannot be read',
      { preflight: 'unreadable' },
      fresh('state_missing', { requestedId: OLD_ID }),
    ],
    ...resumeFailureSchema.options.map(
      (reason) =>
        [
          `does not try an id that was set aside for ${reason}, nor an older one`,
          { setAside: reason },
          fresh(reason, { requestedId: OLD_ID, idSetAside: true }),
        ] as const,
    ),
    [
      'tries a set-aside id when a person chose it',
      { setAside: 'refused', choice: { kind: 'session', row: sessionRow() } },
      resume(OLD_ID),
    ],
    [
      'tries nothing older than the cleanup',
      { mailbox: { ...mailbox, memoryRemovedAt: 1500 } },
      fresh('state_missing', { requestedId: OLD_ID }),
    ],
    [
      'tries nothing older than the cleanup by choice either',
      { mailbox: { ...mailbox, memoryRemovedAt: 1500 }, choice: { kind: 'session', row: sessionRow() } },
      fresh('state_missing', { requestedId: OLD_ID }),
    ],
    [
      'resumes a session that began after the cleanup',
      { mailbox: { ...mailbox, memoryRemovedAt: 1500 }, priorOfAdapter: sessionRow({ createdAt: 1501 }) },
      resume(OLD_ID),
    ],
    [
      'goes on with its own session in a later attempt, although the run was started fresh',
      { choice: { kind: 'fresh' }, priorOfAdapter: sessionRow({ runId: 9 as RunId }) },
      resume(OLD_ID),
    ],
    [
      'never passes on an id that the pattern does not allow',
      { priorOfAdapter: sessionRow({ nativeSessionId: '--resume' }) },
      fresh('state_missing', { requestedId: '--resume' }),
    ],
  ]
  test.each(table)('%s', (_name, patch, plan) => {
    expect(resolveSession(facts(patch))).toEqual(plan)
  })

  const anyId = fc.oneof(
    fc.constantFrom(OLD_ID, OTHER_ID, '--last', '-c', '../x', `${OLD_ID}\n`, ''),
    fc.uuid({ version: 4 }),
    fc.string({ maxLength: 40 }),
  )
  const anyRow = fc.option(
    fc
      .record({
        nativeSessionId: fc.option(anyId),
        mailboxId: fc.constantFrom(5 as MailboxId, 6 as MailboxId),
        runId: fc.constantFrom(1 as RunId, 9 as RunId),
        adapter: fc.constantFrom('demo' as const, 'codex' as const),
        createdAt: fc.integer({ min: 0, max: 3000 }),
      })
      .map(sessionRow),
  )
  const anyFacts: fc.Arbitrary<SessionFacts> = fc.record({
    setting: fc.record({ isOn: fc.boolean(), scope: fc.constantFrom('app', 'organization', 'project') }),
    runId: fc.constant(9 as RunId),
    mailbox: fc.record({
      id: fc.constant(5 as MailboxId),
      kind: fc.constantFrom('issue', 'issue', 'issue', 'merge_request'),
      memoryRemovedAt: fc.option(fc.integer({ min: 0, max: 3000 }), { freq: 2 }),
    }),
    runner: fc.constantFrom('container', 'container', 'container', 'host'),
    adapter: fc.record({
      id: fc.constant('demo' as const),
      resumableSessions: fc.boolean(),
      choosesId: fc.boolean(),
      sessionIdPattern: fc.constantFrom(UUID, /^.*$/s, /[^]*/g),
    }),
    installation: fc.option(fc.record({ resumable: fc.boolean() })),
    credentialOverlap: fc.boolean(),
    priorOfAdapter: anyRow,
    priorOfAnyAdapter: anyRow,
    begun: anyRow,
    hasDropped: fc.boolean(),
    setAside: fc.option(fc.constantFrom(...resumeFailureSchema.options)),
    choice: fc.oneof(
      fc.constant({ kind: 'auto' as const }),
      fc.constant({ kind: 'fresh' as const }),
      fc.record({ kind: fc.constant('session' as const), row: anyRow }),
    ),
    preflight: fc.constantFrom('ok', 'missing', 'empty', 'unreadable', 'unknown'),
    sessionName: fc.constant('agent/issue-3-x'),
    newId: fc.constant(NEW_ID),
  })

  const withPlan = (check: (given: SessionFacts, plan: SessionPlan) => void): void =>
    fc.assert(
      fc.property(anyFacts, (given) => check(given, resolveSession(given))),
      { numRuns: 2000 },
    )

  test('asks only for ids of the given rows, of this mailbox and adapter, that no CLI reads as a flag', () => {
    withPlan((given, plan) => {
      if (plan.mode !== 'resume') return
      const rows = [
        given.begun,
        given.priorOfAdapter,
        given.choice.kind === 'session' ? given.choice.row : null,
      ]
      const row = rows.find((candidate) => candidate?.nativeSessionId === plan.nativeId)
      expect(row).toMatchObject({ mailboxId: given.mailbox.id, adapter: given.adapter.id })
      expect(plan.nativeId).not.toMatch(/^-|\s|\//)
      expect(isUsableSessionId(plan.nativeId, given.adapter.sessionIdPattern)).toBe(true)
    })
  })

  test('leaves no trace of a session in the row where sessions do not apply', () => {
    withPlan((_given, plan) => {
      if (plan.mode !== 'none') return
      expect(initialSessionFields(plan)).toEqual({
        sessionName: null,
        nativeSessionId: null,
        resumed: false,
        resumeFallback: null,
        mode: 'none',
        requestedSessionId: null,
        chosenSessionId: null,
        idSetAside: false,
      })
    })
  })

  test('always says why it does not remember, unless a person chose so, and never claims to remember', () => {
    withPlan((given, plan) => {
      const row = initialSessionFields(plan)
      expect(row.resumed).toBe(false)
      if (plan.mode !== 'none') expect(row.sessionName).toBe(given.sessionName)
      if (row.mode === 'fresh') expect(row.resumeFallback).not.toBeNull()
      if (row.mode === 'chosen_fresh') expect(given.choice.kind === 'fresh' || given.hasDropped).toBe(true)
      if (row.mode !== 'fresh') expect(row.resumeFallback).toBeNull()
    })
  })
})

describe('adapterForChoice', () => {
  const check = (
    choice: 'auto' | 'fresh' | `session:${number}`,
    row: LlmSession | null,
    memoryRemovedAt: number | null = null,
  ) =>
    adapterForChoice({ choice, row, mailbox: { id: 5 as MailboxId, memoryRemovedAt }, configured: 'codex' })

  test('takes the adapter of the chosen session, else the configured one', () => {
    expect(check('session:1', sessionRow())).toEqual({ ok: true, value: 'demo' })
    expect(check('auto', null)).toEqual({ ok: true, value: 'codex' })
    expect(check('fresh', null)).toEqual({ ok: true, value: 'codex' })
  })

  test('refuses sessions of another mailbox, without an id, unknown ones and removed memory', () => {
    expect(check('session:1', null)).toMatchObject({ error: { type: 'session_not_found' } })
    expect(check('session:1', sessionRow({ mailboxId: 6 as MailboxId }))).toMatchObject({
      error: { type: 'session_not_found' },
    })
    expect(check('session:1', sessionRow({ nativeSessionId: null }))).toMatchObject({
      error: { type: 'session_not_found' },
    })
    expect(check('session:1', sessionRow(), 5000)).toMatchObject({
      error: { type: 'memory_removed', at: 5000 },
    })
  })
})

describe('an attempt that goes on after a wait', () => {
  const begun = (patch: Partial<LlmSession> = {}) =>
    sessionRow({
      runId: 9 as RunId,
      attemptId: 2 as AttemptId,
      nativeSessionId: OTHER_ID,
      chosenSessionId: OTHER_ID,
      ...patch,
    })
  const fellBack = (patch: Partial<LlmSession> = {}) =>
    begun({ mode: 'resume', requestedSessionId: OLD_ID, resumeFallback: 'refused', ...patch })
  const goOn = (row: LlmSession, patch: Partial<SessionFacts> = {}) => {
    const plan = resolveSession(facts({ begun: row, ...patch }))
    return { plan, fields: continuedSessionFields(plan, row) }
  }

  test.each([
    ['that it began', begun()],
    ['that its fallback start began', fellBack()],
    ['that it resumed', fellBack({ nativeSessionId: OLD_ID, resumeFallback: null, resumed: true })],
  ])('goes on in the session %s, and its row says what it said', (_what, row) => {
    expect(goOn(row)).toEqual({ plan: resume(row.nativeSessionId ?? ''), fields: {} })
    expect(askedSession(facts({ begun: row }))).toBe(row)
  })

  test('does not ask again for the id that failed in it', () => {
    expect(goOn(fellBack({ nativeSessionId: null }))).toEqual({
      plan: fresh('refused', { requestedId: OLD_ID }),
      fields: { chosenSessionId: NEW_ID },
    })
  })

  test('says so when the session that it began is gone', () => {
    const { plan, fields } = goOn(begun(), { preflight: 'missing' })
    expect(plan).toEqual(fresh('state_missing', { requestedId: OTHER_ID }))
    expect(fields).toEqual(initialSessionFields(plan))
  })

  test('begins anew when no session had begun', () => {
    const { plan, fields } = goOn(begun({ nativeSessionId: null }))
    expect([plan, fields]).toEqual([resume(OLD_ID), initialSessionFields(plan)])
  })
})
