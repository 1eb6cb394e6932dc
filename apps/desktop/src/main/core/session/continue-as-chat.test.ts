import { describe, expect, it, test } from 'vitest'
import type { RunId } from '@shared/model/ids'
import { runStateSchema } from '@shared/model/words'
import { continueAsChat, type ContinueFacts } from './continue-as-chat'

const run = { id: 7 as RunId, state: 'ended' } as const
const session = { mode: 'resume', nativeSessionId: 'x', createdAt: 10 } as const
const decide = (patch: Partial<ContinueFacts> = {}) =>
  continueAsChat({ run, session, mailbox: { memoryRemovedAt: null }, ...patch })
const refusal = (patch: Partial<ContinueFacts>) => {
  const decided = decide(patch)
  return decided.ok ? null : decided.error
}

describe('a run that is to be continued as a chat', () => {
  it('goes on with its memory', () => expect(decide()).toEqual({ ok: true, value: 'memory' }))

  it('is replayed where sessions did not apply to it', () =>
    expect(decide({ session: { mode: 'none', nativeSessionId: null, createdAt: 10 } })).toEqual({
      ok: true,
      value: 'replay',
    }))

  test.each(runStateSchema.options.filter((state) => state !== 'ended'))(
    'is refused while it is %s',
    (state) =>
      expect(refusal({ run: { ...run, state } })).toMatchObject({
        type: 'not_continuable',
        message: expect.stringContaining('has not ended yet'),
      }),
  )

  it('is refused when no agent began', () =>
    expect(refusal({ session: null })).toMatchObject({
      message: expect.stringContaining('nothing to continue'),
    }))

  it('is refused for an id that its agent never told', () =>
    expect(refusal({ session: { ...session, nativeSessionId: null } })).toMatchObject({
      type: 'not_continuable',
      message: expect.stringContaining('never told the id'),
    }))

  it('is refused once its memory was removed, and not for one that was made since', () => {
    expect(refusal({ mailbox: { memoryRemovedAt: 10 } })).toEqual({ type: 'memory_removed', at: 10 })
    expect(refusal({ mailbox: { memoryRemovedAt: 9 } })).toBeNull()
  })
})
