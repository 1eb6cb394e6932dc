import { afterEach, expect, it, vi } from 'vitest'
import type { ChatThreadId } from '@shared/model/ids'
import { changeDraft, clearDraft, giveBack } from './use-draft'

afterEach(() => void vi.unstubAllGlobals())

it('a draft that was sent does not come back with an older change that was still to be told', async () => {
  const threadId = 1 as ChatThreadId
  let kept = ''
  const answers: (() => void)[] = []
  const invoke = (_: string, { text }: { readonly text: string }) => {
    kept = text
    return new Promise((resolve) => answers.push(() => resolve({ ok: true, value: null })))
  }
  vi.stubGlobal('window', { alfred: { invoke } })
  changeDraft(threadId, 'H')
  changeDraft(threadId, 'Hi')
  // the engine has it as a message, and forgets the draft; then comes the change that waited
  kept = ''
  answers.shift()?.()
  await vi.waitFor(() => expect(kept).toBe('Hi'))
  clearDraft(threadId, 'Hi')
  answers.shift()?.()
  await vi.waitFor(() => expect(kept).toBe(''))
})

it('what was written while a message was sent stays', async () => {
  const threadId = 2 as ChatThreadId
  const kept: string[] = []
  const invoke = (_: string, { text }: { readonly text: string }) => {
    kept.push(text)
    return Promise.resolve({ ok: true, value: null })
  }
  vi.stubGlobal('window', { alfred: { invoke } })
  changeDraft(threadId, 'Hi')
  changeDraft(threadId, 'Hi, and more')
  clearDraft(threadId, 'Hi')
  await vi.waitFor(() => expect(kept.at(-1)).toBe('Hi, and more'))
})

it('the text of a stopped turn comes back, but not over what was written meanwhile', async () => {
  const threadId = 3 as ChatThreadId
  const kept: string[] = []
  const invoke = (_: string, { text }: { readonly text: string }) => {
    kept.push(text)
    return Promise.resolve({ ok: true, value: null })
  }
  vi.stubGlobal('window', { alfred: { invoke } })
  expect(giveBack(threadId, 'Stopped', 'Kept by the engine')).toBe(false)
  changeDraft(threadId, 'Written while it stopped')
  expect(giveBack(threadId, 'Stopped', '')).toBe(false)
  await vi.waitFor(() => expect(kept.at(-1)).toBe('Written while it stopped'))
  changeDraft(threadId, ' ')
  expect(giveBack(threadId, 'Stopped', '')).toBe(true)
  await vi.waitFor(() => expect(kept.at(-1)).toBe('Stopped'))
})
