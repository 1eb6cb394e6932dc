import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ChatThreadId, MailboxId, RunId } from '@shared/model/ids'
import type { LlmSession } from '@shared/model/records'
import type { ChatMessageState } from '@shared/model/words'
import { err } from '@shared/result'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import type { RunContext } from '../runs/run-context'
import { turnPrompt } from './turn-prompt'

let opened: TestStore
let mailboxId: MailboxId
let threadId: ChatThreadId

beforeEach(() => {
  opened = openTestStore()
  mailboxId = seedMailbox(opened.store)
})
afterEach(() => opened.remove())

const begin = (session: Partial<LlmSession>): LlmSession => {
  const anchor = seedEndedRun(opened.store, mailboxId, session)
  const thread = { mailboxId, adapter: 'demo', title: 'Run 1', anchorSessionId: anchor.id } as const
  threadId = opened.store.chats.addThread({ ...thread, isFresh: false }, 30).id
  return anchor
}
const say = (text: string, state: ChatMessageState): RunId => {
  const { store } = opened
  const { id } = seedRun(store, mailboxId, { phase: 'chat', chatThread: threadId })
  store.chats.addMessage({ threadId, role: 'person', runId: id, state, text, createdAt: 40 })
  return id
}
const end = (id: RunId): void => opened.store.runs.update(id, { state: 'ended', outcome: 'succeeded' })

async function told(runId: RunId): Promise<string> {
  const { store } = opened
  const mailbox = store.mailboxes.get(mailboxId)
  const project = store.forges.getProject(mailbox.projectId)
  const organization = store.forges.getOrganization(project.organizationId)
  const context = { run: store.runs.get(runId), mailbox, project, organization } as unknown as RunContext
  const parts = {
    store,
    git: { openMailboxRepository: () => Promise.resolve(err({ type: 'unexpected', message: '' })) },
    prompts: { readIssue: () => Promise.resolve(err({ type: 'unexpected', message: '' })) },
    files: { inputOf: () => '/in' },
  } as unknown as Parameters<typeof turnPrompt>[0]
  const prompt = await turnPrompt(parts, context, { mode: 'none' } as never, 'a'.repeat(40))
  return prompt.ok ? prompt.value : prompt.error
}

it('replays no message that never reached an agent, and is said again now', async () => {
  begin({ nativeSessionId: 'a' })
  end(say('What did you do?', 'sent'))
  end(say('Why so slow?', 'draft'))
  const prompt = await told(say('Why so slow?', 'queued'))
  expect(prompt).toContain('> The person: What did you do?')
  expect(prompt.match(/Why so slow/g)).toHaveLength(1)
})

it('fits into a file whatever context an agent claims to have', async () => {
  const { runId } = begin({ nativeSessionId: 'a', contextMax: 1e15 })
  const text = 'w'.repeat(100_000)
  const events = Array.from({ length: 100 }, (_, at) => ({
    at,
    kind: 'text' as const,
    payload: { text: `${at} ${text}` },
  }))
  opened.store.events.append(runId, events)
  const prompt = await told(say('Go on.', 'queued'))
  expect(prompt).toContain('(What is older was cut.)')
  expect(prompt.length).toBeLessThan(5_000_000)
})
