import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { attachmentLimits } from '@shared/contract/chats'
import type { ChatThreadId, MailboxId, RunId } from '@shared/model/ids'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { createRedact } from '../../core/redact/redact'
import { attachmentWords, createChatAttachmentService, filesOfAttachments } from './attachments'

let opened: TestStore
let mailboxId: MailboxId
let threadId: ChatThreadId
let changed: number
const text = (words: string): Uint8Array => new TextEncoder().encode(words)
const service = () =>
  createChatAttachmentService({
    store: opened.store,
    clock: createSettableClock(100),
    redact: createRedact(() => ['correct-horse-battery']),
    changes: { publish: () => void (changed += 1) },
  })
const attach = (name: string, content: Uint8Array, mediaType = 'text/plain') =>
  service().attach(threadId, { name, mediaType, content })

beforeEach(() => {
  opened = openTestStore()
  changed = 0
  const { store } = opened
  mailboxId = seedMailbox(store)
  const { id } = seedEndedRun(store, mailboxId, { nativeSessionId: 'a' })
  const thread = { mailboxId, adapter: 'demo', title: 'Run 1', anchorSessionId: id, isFresh: false } as const
  threadId = store.chats.addThread(thread, 30).id
})
afterEach(() => opened.remove())

const turn = (): RunId => {
  const { id } = seedRun(opened.store, mailboxId, { phase: 'chat', chatThread: threadId })
  const message = {
    threadId,
    role: 'person',
    runId: id,
    state: 'queued',
    text: 'Look.',
    createdAt: 1,
  } as const
  opened.store.chats.addMessage(message)
  return id
}
const unsent = () =>
  opened.store.chats.listAttachments(threadId).flatMap(({ runId, name }) => (runId === null ? [name] : []))

describe('a file for the next message', () => {
  it('is kept with its chat, without secrets where it is a text, and as it is where it is none', () => {
    const picture = Uint8Array.from([0x89, 0x50, 0xff, 0x00])
    expect(attach('../a/log.txt', text('with correct-horse-battery'))).toMatchObject({
      value: { name: 'log.txt', mediaType: 'text/plain' },
    })
    expect(attach('pier.png', picture, 'image/png')).toMatchObject({ value: { bytes: 4 } })
    expect(attach('x', text('x'), 'javascript:"').ok).toBe(true)
    const runId = turn()
    opened.store.chats.sendAttachments(threadId, runId)
    const sent = opened.store.chats.readAttachments(runId)
    const files = filesOfAttachments(sent)
    expect(new TextDecoder().decode(files['attachment-1-log.txt'])).toBe('with [redacted]')
    expect([...(files['attachment-2-pier.png'] ?? [])]).toEqual([...picture])
    expect(attachmentWords(sent, '/alfred/in')).toBe(
      '\n\nFiles that go along with this message, to be read only:\n' +
        '- /alfred/in/attachment-1-log.txt (text/plain, 15 B)\n' +
        '- /alfred/in/attachment-2-pier.png (image/png, 4 B)\n' +
        '- /alfred/in/attachment-3-x (application/octet-stream, 1 B)',
    )
    expect(changed).toBe(3)
  })

  it('keeps the mark at its beginning, which some programs go by', () => {
    const marked = Uint8Array.from([0xef, 0xbb, 0xbf, 0x61])
    attach('a.csv', marked)
    const runId = turn()
    opened.store.chats.sendAttachments(threadId, runId)
    expect([...(opened.store.chats.readAttachments(runId)[0]?.content ?? [])]).toEqual([...marked])
  })

  it('is refused where it is empty, too large, one too many, or of no chat', () => {
    expect(attach('a', text(''))).toEqual({ ok: false, error: { type: 'attachment_empty' } })
    const tooLarge = new Uint8Array(attachmentLimits.bytes + 1)
    expect(attach('a', tooLarge)).toEqual({ ok: false, error: { type: 'attachment_too_large' } })
    for (let count = 0; count < attachmentLimits.files; count += 1)
      expect(attach(`${count}`, text('x')).ok).toBe(true)
    expect(attach('a', text('x'))).toEqual({ ok: false, error: { type: 'too_many_attachments' } })
    expect(
      service().attach(99 as ChatThreadId, { name: 'a', mediaType: '', content: text('x') }),
    ).toMatchObject({
      error: { type: 'not_found' },
    })
  })

  it('can be taken back until its message is sent, and not afterwards', () => {
    attach('a', text('a'))
    attach('b', text('b'))
    const [first, second] = opened.store.chats.listAttachments(threadId)
    if (first === undefined || second === undefined) throw new Error('not kept')
    service().detach(threadId, first.id)
    expect(unsent()).toEqual(['b'])
    opened.store.chats.sendAttachments(threadId, turn())
    service().detach(threadId, second.id)
    expect(opened.store.chats.listAttachments(threadId)).toHaveLength(1)
  })

  it('comes back with the text of a turn that was stopped, unless something else was attached since', () => {
    attach('a', text('a'))
    const runId = turn()
    opened.store.chats.sendAttachments(threadId, runId)
    expect(unsent()).toEqual([])
    service().attachAgain(threadId, runId)
    expect(unsent()).toEqual(['a'])
    service().attachAgain(threadId, runId)
    expect(unsent()).toEqual(['a'])
    expect(opened.store.chats.readAttachments(runId)).toHaveLength(1)
    expect(service().attachAgain(threadId, 99 as RunId)).toMatchObject({ error: { type: 'not_found' } })
  })
})
