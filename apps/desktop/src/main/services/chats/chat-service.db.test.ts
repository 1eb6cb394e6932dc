import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChatThreadId, MailboxId, RunId, SessionId } from '@shared/model/ids'
import type { LlmSession } from '@shared/model/records'
import { createAgentAdapters } from '../../adapters/agents/agent-adapters'
import { createDemoAdapter } from '../../adapters/agents/demo/demo-adapter'
import { createSystemRandomness } from '../../adapters/system/system-randomness'
import { adaptersNamed } from '../../../../test/fakes/adapters-named'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun, seedSession } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { createRedact } from '../../core/redact/redact'
import type { AgentAdapters } from '../../ports/agent-adapter'
import { createRunRequests } from '../runs/run-requests'
import { createSettingReader } from '../settings/setting-values'
import { createChangeFeed } from '../status/change-feed'
import { createChatService, type ChatService } from './chat-service'
import { settleTurn } from './settle-turn'

let opened: TestStore
let chats: ChatService
let mailboxId: MailboxId
let anchor: LlmSession
/** Turns of which a record was written when they were asked for. */
let recorded: RunId[]
const clock = createSettableClock(100)
const redact = createRedact(() => ['correct-horse-battery'])

beforeEach(() => {
  opened = openTestStore()
  recorded = []
  const { store } = opened
  mailboxId = seedMailbox(store)
  anchor = seedEndedRun(store, mailboxId, { nativeSessionId: 'a', provider: 'there', model: 'large' })
  chats = serviceWith(adaptersNamed('demo', 'codex'))
})
afterEach(() => opened.remove())

function serviceWith(adapters: AgentAdapters): ChatService {
  const { store } = opened
  const changes = createChangeFeed(clock)
  const requests = createRunRequests({
    store,
    clock,
    randomness: createSystemRandomness(),
    settings: createSettingReader(store),
    adapters,
    changes,
    scheduler: { kick: () => undefined, stopRun: () => undefined },
    allowsDemonstration: false,
  })
  const keepRecord = (runId: RunId) => Promise.resolve(void recorded.push(runId))
  return createChatService({ store, requests, clock, redact, changes, personLogin: 'ada', keepRecord })
}

const open = (runId: RunId = anchor.runId) => {
  const chat = chats.open(runId)
  if (!chat.ok) throw new Error(JSON.stringify(chat.error))
  return chat.value
}
const send = (threadId: ChatThreadId, resumeChoice: Parameters<ChatService['send']>[2] = 'auto') => {
  const sent = chats.send(threadId, 'Why?', resumeChoice)
  if (!sent.ok) throw new Error(JSON.stringify(sent.error))
  return opened.store.runs.get(sent.value.runId)
}
/** The turn ends; `session` is what its row said by then. */
const end = (runId: RunId, session: Partial<LlmSession>): LlmSession => {
  const { store } = opened
  const added = seedSession(store, store.runs.get(runId), session)
  store.runs.update(runId, { state: 'ended', outcome: 'failed' })
  settleTurn({ store, clock }, store.runs.get(runId))
  return added
}

describe('a run that is continued', () => {
  it('begins a chat that names it and its session, and the same one until something is said', () => {
    const chat = open()
    expect(chat).toMatchObject({
      issue: 'harbour/pier#1',
      title: `Run ${anchor.runId}, analysis`,
      sessionId: anchor.id,
      nativeSessionId: 'a',
      isReplay: false,
    })
    expect(open().threadId).toBe(chat.threadId)
    end(send(chat.threadId).id, { nativeSessionId: 'a' })
    expect(open().threadId).not.toBe(chat.threadId)
  })

  it('goes on in its chat where it is a turn of one', () => {
    const { threadId } = open()
    const turn = send(threadId)
    expect(chats.open(turn.id)).toMatchObject({ error: { type: 'not_continuable' } })
    end(turn.id, { nativeSessionId: null })
    expect(open(turn.id)).toMatchObject({ threadId, runId: anchor.runId })
  })

  it('is refused where there is no run, or nothing to go on with', () => {
    expect(chats.open(99 as RunId)).toEqual({ ok: false, error: { type: 'not_found', what: 'run 99' } })
    const other = seedRun(opened.store, seedMailbox(opened.store, 2))
    opened.store.runs.update(other.id, { state: 'ended', outcome: 'stopped' })
    expect(chats.open(other.id)).toMatchObject({ error: { type: 'not_continuable' } })
    opened.store.mailboxes.update(mailboxId, { memoryRemovedAt: 500 }, 500)
    expect(chats.open(anchor.runId)).toEqual({ ok: false, error: { type: 'memory_removed', at: 500 } })
  })
})

describe('a new chat', () => {
  it('begins without the memory, once: from its first turn on it has one of its own', () => {
    const begun = chats.open(anchor.runId, true)
    if (!begun.ok) throw new Error(JSON.stringify(begun.error))
    const { threadId } = begun.value
    expect(begun.value).toMatchObject({ isFresh: true, isReplay: false, nativeSessionId: null })
    expect(open().threadId).not.toBe(threadId)
    const first = send(threadId)
    expect(first.resumeChoice).toBe('fresh')
    const own = end(first.id, { nativeSessionId: 'b' })
    expect(send(threadId).resumeChoice).toBe(`session:${own.id}`)
    expect(opened.store.chats.findThread(threadId)?.title).toBe('New chat')
  })

  it('is another one than the chat of the turn with which it was begun', () => {
    const { threadId } = open()
    const turn = end(send(threadId).id, { nativeSessionId: 'a' })
    const begun = chats.open(turn.runId, true)
    expect(begun.ok && begun.value.threadId).not.toBe(threadId)
  })

  it('needs no memory, so it begins after that was removed too', () => {
    opened.store.mailboxes.update(mailboxId, { memoryRemovedAt: 500 }, 500)
    expect(chats.open(anchor.runId, true)).toMatchObject({ ok: true, value: { isFresh: true } })
  })
})

describe('what is written and not sent', () => {
  it('is kept without secrets, and gone with the message that it became', () => {
    const { threadId } = open()
    const draft = () => opened.store.chats.findThread(threadId)?.draft
    chats.keepDraft(threadId, 'Log in with correct-horse-battery')
    expect(draft()).toBe('Log in with [redacted]')
    const turn = chats.send(threadId, 'Log in', 'auto', { isDraft: true })
    expect(draft()).toBe('')
    chats.keepDraft(threadId, 'the next one')
    chats.send(threadId, 'the next one', 'auto', { isDraft: true })
    expect(draft()).toBe('the next one')
    if (turn.ok) end(turn.value.runId, { nativeSessionId: 'a' })
    chats.send(threadId, 'something else', 'auto')
    expect(draft()).toBe('the next one')
  })

  it('is of a chat that is there, as its name is', () => {
    const gone = { ok: false, error: { type: 'not_found', what: 'chat 99' } }
    expect(chats.keepDraft(99 as ChatThreadId, 'x')).toEqual(gone)
    expect(chats.rename(99 as ChatThreadId, 'x')).toEqual(gone)
    const { threadId } = open()
    chats.rename(threadId, 'Why 30 s?')
    expect(opened.store.chats.findThread(threadId)?.title).toBe('Why 30 s?')
  })
})

describe('a message', () => {
  it('is a run of phase chat with what its session was begun with, whatever the settings say by now', () => {
    opened.store.settings.set('app', 0, 'AGENT_ADAPTER', 'codex', 1)
    expect(send(open().threadId)).toMatchObject({
      phase: 'chat',
      trigger: 'person',
      requestedBy: 'ada',
      adapter: 'demo',
      provider: 'there',
      model: 'large',
      resumeChoice: `session:${anchor.id}`,
    })
  })

  it('is written down beside the database at once, so that it is there when that is lost', () => {
    const run = send(open().threadId)
    expect(recorded).toEqual([run.id])
  })

  it('is stored without the secrets in it, known ones and what looks like a token', () => {
    const text = `Log in with correct-horse-battery, or ghp_${'a1'.repeat(18)}.`
    const { threadId } = open()
    const sent = chats.send(threadId, text, 'auto')
    if (!sent.ok) throw new Error(JSON.stringify(sent.error))
    const stored = opened.store.chats.findMessage(sent.value.runId, 'person')
    expect(stored?.text).toBe('Log in with [redacted], or [redacted].')
  })

  it('asks for the newest id of the chat, read from the database', () => {
    const { threadId } = open()
    const second = end(send(threadId).id, { nativeSessionId: 'b' })
    end(send(threadId).id, { nativeSessionId: null })
    seedEndedRun(opened.store, mailboxId, { nativeSessionId: 'of a phase run' })
    expect(send(threadId).resumeChoice).toBe(`session:${second.id}`)
  })

  it('goes on without the memory, or with an older one, when a person says so', () => {
    const { threadId } = open()
    const fresh = send(threadId, 'fresh')
    expect(fresh.resumeChoice).toBe('fresh')
    end(fresh.id, { nativeSessionId: 'b' })
    expect(send(threadId, `session:${anchor.id}`).resumeChoice).toBe(`session:${anchor.id}`)
  })

  it.each([
    ['there is none', () => 99 as SessionId],
    [
      'it is of another issue',
      () => seedEndedRun(opened.store, seedMailbox(opened.store, 2), { nativeSessionId: 'x' }).id,
    ],
    [
      'it is of another agent',
      () => seedEndedRun(opened.store, mailboxId, { adapter: 'codex', nativeSessionId: 'x' }).id,
    ],
  ])('asks for no session that is not of this chat: %s', (_, session) =>
    expect(chats.send(open().threadId, 'Why?', `session:${session()}`)).toMatchObject({
      error: { type: 'not_continuable' },
    }),
  )

  it('begins nothing of the issue in the place of a memory that was never there', () => {
    const without = seedEndedRun(opened.store, mailboxId, { mode: 'none', sessionName: null })
    const chat = open(without.runId)
    expect(chat.isReplay).toBe(true)
    expect(send(chat.threadId).resumeChoice).toBe('fresh')
  })

  it('is told with a replay while sessions do not apply, whatever is remembered', () => {
    const { store } = opened
    const { projectId } = store.mailboxes.get(mailboxId)
    const set = (key: 'AGENT_SESSION_RESUME' | 'AGENT_RUNNER', value: unknown) =>
      store.settings.set('project', projectId, key, value, 1, 1)
    set('AGENT_SESSION_RESUME', false)
    expect(open()).toMatchObject({ isReplay: true, nativeSessionId: 'a' })
    set('AGENT_SESSION_RESUME', true)
    const { threadId, isReplay } = open()
    expect(isReplay).toBe(false)
    set('AGENT_RUNNER', 'host')
    expect(open().isReplay).toBe(true)
    set('AGENT_RUNNER', 'container')
    // what only a start finds out
    const turn = send(threadId)
    store.runs.update(turn.id, { sessionOffReason: 'version_not_verified' })
    end(turn.id, { mode: 'none', sessionName: null })
    expect(open(turn.id).isReplay).toBe(true)
  })

  it('is refused where the agent takes no part in chats', () => {
    const { threadId } = open()
    const adapters = createAgentAdapters([{ ...createDemoAdapter(), phases: ['analysis', 'answer'] }])
    expect(serviceWith(adapters).send(threadId, 'Why?', 'auto')).toEqual({
      ok: false,
      error: {
        type: 'no_agent',
        message: 'demo is for analysis and answer only: it takes no part in a chat.',
      },
    })
    expect(chats.messages(threadId, 9)).toEqual([])
  })

  it('is neither stored nor run while another run holds the issue', () => {
    const { threadId } = open()
    const turn = send(threadId)
    expect(chats.send(threadId, 'And?', 'auto')).toEqual({
      ok: false,
      error: { type: 'already_running', runId: turn.id, since: turn.createdAt },
    })
    expect(chats.messages(threadId, 9)?.map(({ text }) => text)).toEqual(['Why?'])
  })

  it('is said once an agent has begun with it, and comes back where none has', () => {
    const { threadId } = open()
    const said = send(threadId)
    const stateOf = () => chats.messages(threadId, 9)?.at(-1)?.state
    expect(stateOf()).toBe('queued')
    end(said.id, { nativeSessionId: 'a' })
    expect(stateOf()).toBe('sent')
    end(send(threadId).id, { mode: 'resume', resumeFallback: 'refused', firstEventAt: 5 })
    expect(stateOf()).toBe('draft')
  })

  it('leaves what a person should know of its turn: that the context was summed up, what was not committed', () => {
    const { store } = opened
    const { threadId } = open()
    const turn = send(threadId)
    const summedUp = 'The context was full: the conversation so far was summed up.'
    const said = (kind: 'warning' | 'notice' | 'text', text: string) => ({ at: 1, kind, payload: { text } })
    store.events.append(turn.id, [
      said('warning', summedUp),
      said('warning', summedUp),
      said('notice', 'The work is collected by a container of its own.'),
      said('notice', 'Not committed: half.txt.'),
      said('text', 'Not committed: by me.'),
    ])
    end(turn.id, { nativeSessionId: 'a' })
    expect(store.chats.listNotes(turn.id)).toEqual([summedUp, 'Not committed: half.txt.'])
  })

  it('adds to what a restore of the database said of its turn', () => {
    const { store } = opened
    const turn = send(open().threadId)
    store.chats.setNotes(turn.id, ['Restored without its files.'])
    store.events.append(turn.id, [{ at: 1, kind: 'warning', payload: { text: 'Summed up.' } }])
    end(turn.id, { nativeSessionId: 'a' })
    expect(store.chats.listNotes(turn.id)).toEqual(['Restored without its files.', 'Summed up.'])
  })
})
