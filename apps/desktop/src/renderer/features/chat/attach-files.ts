import { attachmentLimits } from '@shared/contract/chats'
import { formatBytes } from '@shared/format'
import type { ChatThreadId } from '@shared/model/ids'
import { chatRefusal } from '../../lib/chat-refusal'
import { engine, type CommandError } from '../../lib/engine-client'

/** Named where files are chosen. */
export const limitWords = `up to ${attachmentLimits.files} files of ${formatBytes(attachmentLimits.bytes)} each; the agent can only read them`

/** Files for the next message, one after the other. Answers why some do not go along, in words; null: all do. */
export async function attachFiles(threadId: ChatThreadId, files: readonly File[]): Promise<string | null> {
  const problems: string[] = []
  for (const file of files) {
    const problem = await attachFile(threadId, file)
    if (problem !== null) problems.push(problem)
  }
  return problems.length === 0 ? null : problems.join(' ')
}

async function attachFile(threadId: ChatThreadId, file: File): Promise<string | null> {
  const name = file.name || 'file'
  // not even read, whatever its size
  if (file.size > attachmentLimits.bytes) return refusal(name, { type: 'attachment_too_large' })
  if (file.size === 0) return refusal(name, { type: 'attachment_empty' })
  try {
    const content = await base64Of(file)
    const attached = await engine.command('chats.attach', { threadId, name, mediaType: file.type, content })
    return attached.ok ? null : refusal(name, attached.error)
  } catch {
    return `“${name}” could not be read.`
  }
}

function refusal(name: string, error: CommandError<'chats.attach'>): string {
  switch (error.type) {
    case 'attachment_empty':
      return `“${name}” is empty.`
    case 'attachment_too_large':
      return `“${name}” is larger than ${formatBytes(attachmentLimits.bytes)}.`
    case 'too_many_attachments':
      return `“${name}” is one too many: ${attachmentLimits.files} files go along with a message.`
    default:
      return chatRefusal(error, 0)
  }
}

/** `data:image/png;base64,…` after its comma. */
function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const url = typeof reader.result === 'string' ? reader.result : ''
      resolve(url.slice(url.indexOf(',') + 1))
    })
    reader.addEventListener('error', () => reject(reader.error ?? new Error('not read')))
    reader.readAsDataURL(file)
  })
}

/** Of what was pasted or dropped. Some programs copy a picture of a text beside it: then the text is meant. */
export const pastedFiles = (data: Pick<DataTransfer, 'files' | 'types'>): readonly File[] =>
  data.types.includes('text/plain') ? [] : [...data.files]
