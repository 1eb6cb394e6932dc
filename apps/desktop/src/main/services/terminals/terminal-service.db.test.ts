import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId, ResumeChoice, RunId } from '@shared/model/ids'
import type { LlmSession } from '@shared/model/records'
import { adaptersNamed } from '../../../../test/fakes/adapters-named'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun, seedSession } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { err, ok } from '@shared/result'
import { createAgentAdapters } from '../../adapters/agents/agent-adapters'
import { createDemoAdapter } from '../../adapters/agents/demo/demo-adapter'
import { createSystemRandomness } from '../../adapters/system/system-randomness'
import type { AgentAdapters } from '../../ports/agent-adapter'
import type { SessionStateLook } from '../../ports/session-state'
import { createDataPaths } from '../runs/data-paths'
import { createRunRequests } from '../runs/run-requests'
import { createSettingReader } from '../settings/setting-values'
import { createChangeFeed } from '../status/change-feed'
import { createTerminalHub } from './terminal-hub'
import { createTerminalService } from './terminal-service'

let opened: TestStore
let mailboxId: MailboxId
let before: LlmSession
let preflight: SessionStateLook['preflight']
let login: 'found' | 'missing' | 'expired'
let stopped: RunId[]
let programs: unknown[]
let why: string | null
const clock = createSettableClock(100)
const randomness = createSystemRandomness()

beforeEach(() => {
  opened = openTestStore()
  preflight = 'ok'
  login = 'found'
  stopped = []
  programs = []
  why = null
  mailboxId = seedMailbox(opened.store)
  before = seedEndedRun(opened.store, mailboxId, { nativeSessionId: 'a', provider: 'there', model: 'large' })
})
afterEach(() => opened.remove())

function serviceWith(adapters: AgentAdapters) {
  const { store } = opened
  const settings = createSettingReader(store)
  const requests = createRunRequests({
    store,
    clock,
    randomness,
    settings,
    adapters,
    changes: createChangeFeed(clock),
    scheduler: {
      kick: () => undefined,
      stopRun: (runId) => {
        stopped.push(runId)
        store.runs.update(runId, { state: 'ended', outcome: 'stopped', endedAt: 50 })
        store.locks.release(mailboxId, runId)
      },
    },
    allowsDemonstration: false,
  })
  const look = { preflight, bytes: 5, savedAt: 3, isReadOnly: false }
  return createTerminalService({
    store,
    requests,
    settings,
    adapters,
    credentials: { login: () => Promise.resolve(login) },
    states: { look: () => Promise.resolve(look) },
    paths: createDataPaths('/data'),
    clock,
    hub: createTerminalHub({ clock, randomness, logger: { error: () => undefined } }),
    programs: {
      open: (words, options) => {
        programs.push({ words, ...options })
        return Promise.resolve(why === null ? ok(null) : err(why))
      },
    },
    personLogin: 'ada',
  })
}

const open = (
  wish: ResumeChoice = 'auto',
  more: { runId?: RunId; takeOver?: boolean; adapters?: AgentAdapters } = {},
) =>
  serviceWith(more.adapters ?? adaptersNamed('demo', 'codex')).open(
    more.runId ?? before.runId,
    wish,
    more.takeOver ?? false,
  )

const opens = async (...asked: Parameters<typeof open>) => {
  const answer = await open(...asked)
  if (!answer.ok) throw new Error(JSON.stringify(answer.error))
  return { ...answer.value, run: opened.store.runs.get(answer.value.runId) }
}

describe('a terminal that is opened on a run', () => {
  it('is a run that goes on with its session, and with what that was begun with', async () => {
    opened.store.settings.set('app', 0, 'AGENT_MODEL', 'small', 1)
    const { run, ...told } = await opens()
    expect(run).toMatchObject({
      phase: 'terminal',
      state: 'queued',
      requestedBy: 'ada',
      resumeChoice: `session:${before.id}`,
      provider: 'there',
      model: 'large',
    })
    expect(told).toMatchObject({
      issue: 'harbour/pier#1',
      nativeSessionId: 'a',
      wasOpen: false,
      isOlder: false,
      limitMs: 8 * 3_600_000,
    })
  })

  it('is the one that is open, whatever run of the issue is named', async () => {
    const { runId } = await opens()
    expect(await opens()).toMatchObject({ runId, wasOpen: true })
    expect(await opens('auto', { runId })).toMatchObject({ runId, wasOpen: true })
  })

  it('says that a newer memory is there', async () => {
    seedEndedRun(opened.store, mailboxId, { nativeSessionId: 'b', createdAt: 60 })
    expect(await opens()).toMatchObject({ nativeSessionId: 'a', isOlder: true })
  })

  it('begins without memory where a person wants it so', async () => {
    preflight = 'missing'
    const { run, nativeSessionId } = await opens('fresh')
    expect(nativeSessionId).toBeNull()
    expect(run.resumeChoice).toBe('fresh')
  })

  it.each([
    ['missing', 'is gone'],
    ['empty', 'is empty'],
    ['unreadable', 'cannot be read'],
  ] as const)('is refused where the state is %s, and the fresh start is offered', async (found, words) => {
    preflight = found
    const refused = await open()
    expect(refused).toMatchObject({
      error: { type: 'state_missing', message: expect.stringContaining(words) },
    })
    expect(refused).toMatchObject({ error: { message: expect.stringContaining('--fresh') } })
    expect(opened.store.runs.listLive()).toEqual([])
  })

  it.each(['missing', 'expired'] as const)('is refused while the login is %s', async (found) => {
    login = found
    expect(await open()).toMatchObject({ error: { type: 'login_missing' } })
  })

  it('is refused where there is no memory, no screen and no container, in words', async () => {
    const { store } = opened
    const none = seedEndedRun(store, mailboxId, { mode: 'none', sessionName: null })
    expect(await open('auto', { runId: none.runId })).toMatchObject({
      error: { type: 'not_continuable', message: expect.stringContaining('Sessions did not apply') },
    })
    const silent = seedEndedRun(store, mailboxId)
    expect(await open('auto', { runId: silent.runId })).toMatchObject({
      error: { message: expect.stringContaining('never told the id') },
    })
    const withoutScreen = createAgentAdapters([{ ...createDemoAdapter(), attach: null }])
    expect(await open('auto', { adapters: withoutScreen })).toMatchObject({
      error: { message: expect.stringContaining('no screen of its own') },
    })
    const { projectId } = store.mailboxes.get(mailboxId)
    store.settings.set('project', projectId, 'AGENT_RUNNER', 'host', 1, 1)
    expect(await open()).toMatchObject({
      error: { message: expect.stringContaining('this computer itself') },
    })
    expect(await open('auto', { runId: 99 as RunId })).toMatchObject({ error: { type: 'not_found' } })
  })

  it('of a CLI with one place for all sessions goes on with the newest memory and nothing else', async () => {
    const adapters = createAgentAdapters([{ ...createDemoAdapter(), sessionFile: () => null }])
    expect(await open('fresh', { adapters })).toMatchObject({
      error: { type: 'not_continuable', message: expect.stringContaining('would not be remembered') },
    })
    const newer = seedEndedRun(opened.store, mailboxId, { nativeSessionId: 'b', createdAt: 60 })
    const older = {
      type: 'not_continuable',
      message: expect.stringMatching(
        new RegExp(`not be the one that the next run goes on with.*alfred attach ${newer.runId}$`),
      ),
    }
    expect(await open('auto', { adapters })).toMatchObject({ error: older })
    expect(await serviceWith(adapters).openProgram(before.runId)).toMatchObject({ error: older })
    expect(programs).toEqual([])
    preflight = 'missing'
    const gone = await open('auto', { adapters, runId: newer.runId })
    expect(gone).toMatchObject({ error: { message: expect.not.stringContaining('--fresh') } })
    preflight = 'ok'
    expect(await opens('auto', { adapters, runId: newer.runId })).toMatchObject({
      nativeSessionId: 'b',
      isOlder: false,
    })
  })

  it('is refused where the memory was removed', async () => {
    opened.store.mailboxes.update(mailboxId, { memoryRemovedAt: 90 }, 90)
    expect(await open()).toEqual({ ok: false, error: { type: 'memory_removed', at: 90 } })
  })

  it('is told which run holds the issue, of what phase and since when', async () => {
    const live = seedRun(opened.store, mailboxId, { phase: 'development' }, 40)
    opened.store.locks.take(mailboxId, live.id, 45)
    const error = { type: 'already_running', runId: live.id, phase: 'development', since: 45 }
    expect(await open()).toEqual({ ok: false, error })
    expect(stopped).toEqual([])
  })

  it('stops what holds the issue on wish, but not where it could not be opened then', async () => {
    const live = seedRun(opened.store, mailboxId, { phase: 'development' }, 40)
    preflight = 'missing'
    expect(await open('auto', { takeOver: true })).toMatchObject({ error: { type: 'state_missing' } })
    expect(stopped).toEqual([])
    preflight = 'ok'
    const { run } = await opens('auto', { takeOver: true })
    expect(stopped).toEqual([live.id])
    expect(run).toMatchObject({ phase: 'terminal', resumeChoice: `session:${before.id}` })
  })

  it('goes on with the very run that it stops', async () => {
    const live = seedRun(opened.store, mailboxId, { phase: 'development' }, 40)
    const session = seedSession(opened.store, live, { nativeSessionId: 'c', mode: 'resume' })
    const { run, nativeSessionId } = await opens('auto', { runId: live.id, takeOver: true })
    expect(nativeSessionId).toBe('c')
    expect(run.resumeChoice).toBe(`session:${session.id}`)
  })
})

describe('a terminal program', () => {
  const inProgram = () => serviceWith(adaptersNamed('demo')).openProgram(before.runId)

  it('is opened with nothing in its command but the number of the run, as the person wants it', async () => {
    opened.store.settings.set('app', 0, 'TERMINAL_COMMAND', 'kitty -- {command}', 1)
    const command = `alfred attach ${before.runId}`
    expect(await inProgram()).toEqual({ ok: true, value: { command } })
    expect(programs).toEqual([
      {
        words: ['attach', String(before.runId), '--wait-at-end'],
        title: command,
        template: 'kitty -- {command}',
      },
    ])
    expect(opened.store.runs.listLive()).toEqual([])
  })

  it('that does not open is told with the command to type', async () => {
    why = 'No terminal program was found.'
    expect(await inProgram()).toMatchObject({
      error: { type: 'no_terminal', message: why, command: `alfred attach ${before.runId}` },
    })
  })

  it('is not opened to say that nothing can be opened', async () => {
    preflight = 'missing'
    expect(await inProgram()).toMatchObject({ error: { type: 'state_missing' } })
    preflight = 'ok'
    const live = seedRun(opened.store, mailboxId, { phase: 'development' }, 40)
    expect(await inProgram()).toMatchObject({ error: { type: 'already_running', runId: live.id } })
    expect(programs).toEqual([])
  })

  it('is opened on a terminal that goes on', async () => {
    await opens()
    preflight = 'missing'
    expect(await inProgram()).toMatchObject({ ok: true })
  })
})
