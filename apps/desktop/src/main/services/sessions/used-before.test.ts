import { expect, it, vi } from 'vitest'
import type { SessionStates } from '../../ports/session-state'
import { usedBefore } from './used-before'

const adapter = {
  sessionFile: (id: string) => `${id}.jsonl`,
  sumsInState: (lines: readonly string[]) => (lines.length === 0 ? null : { inputTokens: lines.length }),
}

it('what a copy had used is read from it before it is placed, where the CLI goes on with such sums', async () => {
  const linesBehind = vi.fn<SessionStates['linesBehind']>(() => Promise.resolve(['a', 'b']))
  const parts = { states: { linesBehind } } as unknown as Parameters<typeof usedBefore>[0]
  expect(await usedBefore(parts, adapter, { folder: '/copy' }, 'id')).toEqual({ inputTokens: 2 })
  expect(linesBehind).toHaveBeenCalledExactlyOnceWith('/copy', 'id.jsonl', 0)
  const { sumsInState: _, ...tellsNoSums } = adapter
  expect(await usedBefore(parts, tellsNoSums, { folder: '/copy' }, 'id')).toBeNull()
  expect(
    await usedBefore(parts, { ...adapter, sessionFile: () => null }, { folder: '/copy' }, 'id'),
  ).toBeNull()
  expect(linesBehind).toHaveBeenCalledOnce()
})

it('a copy that holds no such sums begins at nothing, whatever was used under its id before', async () => {
  const linesBehind: SessionStates['linesBehind'] = () => Promise.resolve([])
  const parts = { states: { linesBehind } } as unknown as Parameters<typeof usedBefore>[0]
  expect(await usedBefore(parts, adapter, { folder: '/copy' }, 'id')).toEqual({
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
  })
})
