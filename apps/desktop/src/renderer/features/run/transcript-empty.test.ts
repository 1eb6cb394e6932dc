import { describe, expect, it } from 'vitest'
import type { RunDetail } from '@shared/contract/runs'
import { emptyTranscript } from './transcript-empty'

const words = (row: Partial<RunDetail['row']>, runner: 'container' | 'host' = 'container') => {
  const { title, text } = emptyTranscript({ row, sandbox: { runner } } as unknown as RunDetail)
  return `${title}. ${text}`
}

describe('a transcript without events', () => {
  it('says what was asked for while the container starts', () => {
    expect(
      words({
        state: 'preparing',
        badge: 'pending',
        requestedSessionId: 'd02b91aa-4c1f-4b6e-9a53-0f8e2c1b77e0',
        stateBytesBefore: 1_200_000,
      }),
    ).toBe(
      'The container is starting. Asked to resume d02b91aa…77e0 (1.2 MB). The badge stays “Resuming…” until the agent proves it.',
    )
  })

  it('promises no memory where none was asked for, and no container on this computer itself', () => {
    expect(words({ state: 'running', badge: 'no_prior_session' })).toBe(
      'The container is starting. The first words of the agent come here.',
    )
    expect(words({ state: 'running', badge: 'none' }, 'host')).toMatch(/^The agent is starting\./)
  })

  it('tells a run that waits from one that ended in silence', () => {
    expect(words({ state: 'queued' })).toMatch(/waits for its turn/)
    expect(words({ state: 'ended' })).toBe('No events. This run ended before the agent said anything.')
    expect(words({ state: 'ended', isImported: true })).toMatch(/No agent ran here/)
  })
})
