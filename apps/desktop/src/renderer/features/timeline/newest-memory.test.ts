import { describe, expect, it } from 'vitest'
import type { RailEdge } from '@shared/contract/sessions'
import { newestMemoryOf } from './newest-memory'

const edge = {
  memories: [
    { key: 'claude-code:a', firstRunId: 1, lastRunId: 9 },
    { key: 'codex:b', firstRunId: 4, lastRunId: 10 },
    { key: 'claude-code:c', firstRunId: 7, lastRunId: 8 },
  ],
} as unknown as RailEdge

describe('newestMemoryOf', () => {
  it('is the one that the agent used last, however old its letter is', () => {
    expect(newestMemoryOf(edge, 'claude-code')).toBe('A')
    expect(newestMemoryOf(edge, 'codex')).toBe('B')
  })

  it('is none where the agent has no memory', () => {
    expect(newestMemoryOf(edge, 'opencode')).toBeNull()
  })
})
