import { afterEach, expect, it, vi } from 'vitest'
import type { ChatThreadId } from '@shared/model/ids'
import { attachStateOf, attachTo, forgetAttachProblem } from './attach-state'

afterEach(() => void vi.unstubAllGlobals())

it('is told of its own chat alone, whichever is shown when a file turns out not to go along', async () => {
  const [left, shown] = [1, 2] as ChatThreadId[] as [ChatThreadId, ChatThreadId]
  const answers: (() => void)[] = []
  const invoke = (_: string, { threadId }: { readonly threadId: ChatThreadId }) =>
    new Promise((resolve) =>
      answers.push(() =>
        resolve(
          threadId === left ? { ok: false, error: { type: 'attachment_empty' } } : { ok: true, value: {} },
        ),
      ),
    )
  vi.stubGlobal('window', { alfred: { invoke } })
  vi.stubGlobal(
    'FileReader',
    class {
      result = 'data:text/plain;base64,YQ=='
      addEventListener(name: string, listener: () => void) {
        if (name === 'load') queueMicrotask(listener)
      }
      readAsDataURL() {}
    },
  )
  const file = { name: 'a', size: 1, type: 'text/plain' } as File
  const first = attachTo(left, [file])
  expect(attachStateOf(left)).toEqual({ underWay: 1, problem: null })
  const second = attachTo(shown, [file])
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  for (const answer of answers) answer()
  await Promise.all([first, second])
  expect(attachStateOf(left)).toEqual({ underWay: 0, problem: '“a” is empty.' })
  expect(attachStateOf(shown)).toEqual({ underWay: 0, problem: null })
  forgetAttachProblem(left)
  expect(attachStateOf(left).problem).toBeNull()
})
