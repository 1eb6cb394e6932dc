import { afterEach, describe, expect, it, vi } from 'vitest'
import { attachmentLimits } from '@shared/contract/chats'
import type { ChatThreadId } from '@shared/model/ids'
import { attachFiles, pastedFiles } from './attach-files'

afterEach(() => void vi.unstubAllGlobals())

const threadId = 1 as ChatThreadId
const file = (name: string, size = 1): File => ({ name, size, type: 'text/plain' }) as File

describe('files that do not go along', () => {
  it('are named with the reason, one that is too large before it is read', async () => {
    const answers = [
      { ok: false, error: { type: 'attachment_empty' } },
      { ok: false, error: { type: 'too_many_attachments' } },
      { ok: true, value: {} },
    ]
    const asked: unknown[] = []
    const invoke = (_: string, input: unknown) => {
      asked.push(input)
      return Promise.resolve(answers.shift())
    }
    vi.stubGlobal('window', { alfred: { invoke } })
    vi.stubGlobal(
      'FileReader',
      class {
        result = 'data:text/plain;base64,YQ=='
        #done = () => {}
        addEventListener(name: string, listener: () => void) {
          if (name === 'load') this.#done = listener
        }
        readAsDataURL() {
          this.#done()
        }
      },
    )
    const files = [file('a'), file('b'), file('c'), file('d', attachmentLimits.bytes + 1)]
    expect(await attachFiles(threadId, files)).toBe(
      '“a” is empty. “b” is one too many: 8 files go along with a message. “d” is larger than 10 MB.',
    )
    expect(asked).toHaveLength(3)
    expect(asked[0]).toEqual({ threadId, name: 'a', mediaType: 'text/plain', content: 'YQ==' })
  })
})

describe('what is pasted', () => {
  it('is a file only where it is no text, of which some programs add a picture', () => {
    const files = [file('image.png')] as unknown as FileList
    expect(pastedFiles({ files, types: ['Files'] })).toHaveLength(1)
    expect(pastedFiles({ files, types: ['text/plain', 'text/html', 'Files'] })).toEqual([])
  })
})
