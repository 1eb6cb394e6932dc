import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MailboxId, ResumeChoice, RunId } from '@shared/model/ids'
import type { LlmSession, Run } from '@shared/model/records'
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
import { createRunEventFeed } from '../runs/run-event-feed'
import { createRunRequests } from '../runs/run-requests'
import { startSuccessor } from '../runs/start-successor'
import { createSettingReader } from '../settings/setting-values'
import { createChangeFeed } from '../status/change-feed'
import type { RunRequests } from '../workflow/ports-of-workflow'
import { waitsForTalk } from '../workflow/unpushed-talk'
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
let requests: RunRequests
let stops: boolean
/** What happens until the run that is stopped has ended. */
let beforeStop: () => void
/** What happens between the stop of a run and the moment at which who stopped it looks. */
let meanwhile: () => void
const clock = createSettableClock(100)
const randomness = createSystemRandomness()

beforeEach(() => {
  opened = openTestStore()
  preflight = 'ok'
  login = 'found'
  stopped = []
  programs = []
  why = null
  stops = true
  beforeStop = () => undefined
  meanwhile = () => undefined
  mailboxId = seedMailbox(opened.store)
  before = seedEndedRun(opened.store, mailboxId, { nativeSessionId: 'a', provider: 'there', model: 'large' })
})
afterEach(() => opened.remove())

/** As the step does that ends a run. */
function end(runId: RunId): void {
  const { store } = opened
  store.runs.update(runId, { state: 'ended', outcome: 'stopped', endedAt: 50 })
  store.locks.release(mailboxId, runId)
  startSuccessor({ store, clock, requests, feed: createRunEventFeed() }, store.runs.get(runId))
}

function serviceWith(adapters: AgentAdapters) {
  const { store } = opened
  const settings = createSettingReader(store)
  requests = createRunRequests({
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
        beforeStop()
        if (!stops || store.runs.get(runId).state === 'ended') return
        end(runId)
        meanwhile()
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

  it('stops what holds the issue and begins without memory, also where that cannot be read any more', async () => {
    const live = seedRun(opened.store, mailboxId, { phase: 'development' }, 40)
    preflight = 'missing'
    const { run, nativeSessionId } = await opens('fresh', { takeOver: true })
    expect(stopped).toEqual([live.id])
    expect(opened.store.runs.get(live.id)).toMatchObject({ state: 'ended', outcome: 'stopped' })
    expect(nativeSessionId).toBeNull()
    expect(run).toMatchObject({ phase: 'terminal', state: 'queued', resumeChoice: 'fresh' })
    expect(opened.store.runs.findLive(mailboxId)?.id).toBe(run.id)
  })

  it('goes on with the very run that it stops', async () => {
    const live = seedRun(opened.store, mailboxId, { phase: 'development' }, 40)
    const session = seedSession(opened.store, live, { nativeSessionId: 'c', mode: 'resume' })
    const { run, nativeSessionId } = await opens('auto', { runId: live.id, takeOver: true })
    expect(nativeSessionId).toBe('c')
    expect(run.resumeChoice).toBe(`session:${session.id}`)
  })
})

describe('a terminal that is watched', () => {
  const watch = (runId: RunId) => {
    const events: string[] = []
    serviceWith(adaptersNamed('demo')).watch(runId, ({ type }) => events.push(type))
    return events
  }

  it('is one that is open; of any other run its end is told', async () => {
    const { runId } = await opens()
    expect(watch(runId)).toEqual(['watching'])
    expect(watch(before.runId)).toEqual(['ended'])
    end(runId)
    expect(watch(runId)).toEqual(['ended'])
  })
})

describe('a terminal that takes over a chat behind which a phase run waits', () => {
  const asked = {
    phase: 'development',
    trigger: 'plan_validated',
    requestedBy: null,
    resumeChoice: 'auto',
  } as const
  let chat: Run
  beforeEach(() => {
    const { store } = opened
    store.settings.set('app', 0, 'AGENT_ADAPTER', 'demo', 1)
    chat = seedRun(store, mailboxId, { phase: 'chat' }, 40)
  })
  const wait = () =>
    waitsForTalk(
      opened.store,
      { mailboxId, ...asked },
      { type: 'already_running', runId: chat.id, since: 1, message: '' },
    )
  const live = () => opened.store.runs.findLive(mailboxId)

  it('has the issue first, and the phase run begins with its end', async () => {
    wait()
    const { run, wasOpen } = await opens('auto', { takeOver: true })
    expect([stopped, wasOpen]).toEqual([[chat.id], false])
    expect(run).toMatchObject({ phase: 'terminal', state: 'queued', resumeChoice: `session:${before.id}` })
    expect(live()?.id).toBe(run.id)
    end(run.id)
    expect(live()).toMatchObject(asked)
    expect(opened.store.runs.successorOf(run.id)).toBeNull()
  })

  it('has it also where the phase run is asked for while the chat stops', async () => {
    beforeStop = () => expect(wait()).toBe(true)
    const { run } = await opens('auto', { takeOver: true })
    expect(run.phase).toBe('terminal')
    end(run.id)
    expect(live()).toMatchObject(asked)
  })

  it('is one of two that are asked for at once, and the other one is told so', async () => {
    wait()
    const both = [opens('auto', { takeOver: true }), opens('auto', { takeOver: true })] as const
    const [first, second] = await Promise.all(both)
    expect([first.wasOpen, second.wasOpen, second.runId]).toEqual([false, true, first.runId])
    expect(opened.store.runs.successorOf(chat.id)).toBeNull()
    end(first.runId)
    expect(live()).toMatchObject(asked)
  })

  it('is given up where the chat does not stop, and the phase run waits as before', async () => {
    wait()
    stops = false
    const answer = open('auto', { takeOver: true })
    await vi.waitFor(() => expect(stopped).toEqual([chat.id]))
    clock.advance(90_000)
    expect(await answer).toMatchObject({ error: { type: 'already_running', runId: chat.id } })
    end(chat.id)
    expect(live()).toMatchObject(asked)
  })

  it('lets the phase run begin where it turns out that it cannot be opened', async () => {
    wait()
    meanwhile = () => opened.store.mailboxes.update(mailboxId, { memoryRemovedAt: 90 }, 90)
    expect(await open('auto', { takeOver: true })).toMatchObject({ error: { type: 'memory_removed' } })
    expect(live()).toMatchObject(asked)
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
