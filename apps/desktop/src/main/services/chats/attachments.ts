import type { z } from 'zod'
import { attachmentLimits, type AttachmentRow, type chatsContract } from '@shared/contract/chats'
import { formatBytes } from '@shared/format'
import type { AttachmentId, ChatThreadId, RunId } from '@shared/model/ids'
import type { Attachment } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import type { Redact } from '../../core/redact/redact'
import { attachmentFile, attachmentName } from '../../core/session/attachment-name'
import type { ChangeFeed } from '../status/change-feed'
import type { Clock } from '../../ports/clock'
import type { Store } from '../../ports/stores'

/*
 * Files and pictures that go along with a message. They are kept with the chat until it is sent, and lie in the input
 * folder of its run then, which the sandbox can only read.
 */

type AttachError = z.infer<(typeof chatsContract)['attach']['error']>
interface NoChat {
  readonly type: 'not_found'
  readonly what: string
}

export interface ChatAttachmentService {
  attach(
    threadId: ChatThreadId,
    file: { readonly name: string; readonly mediaType: string; readonly content: Uint8Array },
  ): Result<AttachmentRow, AttachError | NoChat>
  detach(threadId: ChatThreadId, id: AttachmentId): Result<null, NoChat>
  attachAgain(threadId: ChatThreadId, runId: RunId): Result<null, NoChat>
}

interface Parts {
  readonly store: Store
  readonly clock: Clock
  readonly redact: Redact
  readonly changes: Pick<ChangeFeed, 'publish'>
}

export const toAttachmentRow = ({ id, name, mediaType, bytes }: Attachment): AttachmentRow => ({
  id,
  name,
  mediaType,
  bytes,
})

const unsent = (store: Store, threadId: ChatThreadId): readonly Attachment[] =>
  store.chats.listAttachments(threadId).filter(({ runId }) => runId === null)

export function createChatAttachmentService({ store, clock, redact, changes }: Parts): ChatAttachmentService {
  const noChat = (threadId: ChatThreadId) => err({ type: 'not_found', what: `chat ${threadId}` } as const)
  const changed = (threadId: ChatThreadId): void => {
    const thread = store.chats.findThread(threadId)
    if (thread === null) return
    const { id: mailboxId, projectId } = store.mailboxes.get(thread.mailboxId)
    changes.publish({ type: 'mailbox', mailboxId, projectId })
  }
  return {
    attach(threadId, { name, mediaType, content }) {
      if (store.chats.findThread(threadId) === null) return noChat(threadId)
      if (content.length === 0) return err({ type: 'attachment_empty' })
      if (content.length > attachmentLimits.bytes) return err({ type: 'attachment_too_large' })
      const kept = withoutSecrets(content, redact)
      const added = store.transaction(() =>
        unsent(store, threadId).length >= attachmentLimits.files
          ? null
          : store.chats.addAttachment(
              {
                threadId,
                runId: null,
                name: redact(attachmentName(name)),
                mediaType: mediaTypeOf(mediaType),
              },
              kept,
              clock.now(),
            ),
      )
      if (added === null) return err({ type: 'too_many_attachments' })
      changed(threadId)
      return ok(toAttachmentRow(added))
    },
    detach(threadId, id) {
      if (store.chats.findThread(threadId) === null) return noChat(threadId)
      store.chats.removeAttachment(threadId, id)
      changed(threadId)
      return ok(null)
    },
    attachAgain(threadId, runId) {
      if (store.chats.findMessage(runId, 'person')?.threadId !== threadId) return noChat(threadId)
      store.transaction(() => {
        if (unsent(store, threadId).length === 0) store.chats.copyAttachments(runId, null)
      })
      changed(threadId)
      return ok(null)
    },
  }
}

const mediaTypeOf = (told: string): string =>
  /^[a-z]+\/[a-z0-9.+-]+$/.test(told) ? told : 'application/octet-stream'

/** Of a text; in anything else a secret cannot be told from what lies around it. */
function withoutSecrets(content: Uint8Array, redact: Redact): Uint8Array {
  try {
    return new TextEncoder().encode(
      redact(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)),
    )
  } catch {
    return content
  }
}

type Sent = Attachment & { readonly content: Uint8Array }

/** Files of the run's input folder, by name. */
export const filesOfAttachments = (attachments: readonly Sent[]): Readonly<Record<string, Uint8Array>> =>
  Object.fromEntries(
    attachments.map(({ name, content }, index) => [attachmentFile(name, index + 1), content]),
  )

/** What the agent is told of them below the message. `folder`: as the agent sees it. */
export function attachmentWords(attachments: readonly Attachment[], folder: string): string {
  if (attachments.length === 0) return ''
  const lines = attachments.map(
    ({ name, mediaType, bytes }, index) =>
      `- ${folder}/${attachmentFile(name, index + 1)} (${mediaType}, ${formatBytes(bytes)})`,
  )
  return `\n\nFiles that go along with this message, to be read only:\n${lines.join('\n')}`
}
