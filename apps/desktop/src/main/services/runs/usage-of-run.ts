import type { AgentEvent } from '../../ports/agent-adapter'
import type { UsedTokens } from '../../ports/stores'

export type UsageEvent = Extract<AgentEvent, { kind: 'usage' }>

/**
 * Figures of one run, also from a CLI that tells sums over the whole session: what the earlier runs of the memory used
 * is taken off. What nobody told (a run that was killed, work in a terminal) counts for the next run. A sum below what
 * is known already was begun anew, so it is the run's own.
 */
export function usageOfRun(event: UsageEvent, earlier: () => UsedTokens): UsageEvent {
  const { isOfSession, ...figures } = event
  if (isOfSession !== true) return event
  const used = earlier()
  const isAnew = sums.some((name) => (figures[name] ?? Infinity) < (used[name] ?? 0))
  if (isAnew) return figures
  const own = Object.fromEntries(sums.map((name) => [name, difference(figures[name], used[name])]))
  return { ...figures, ...own }
}

const sums = ['inputTokens', 'cachedTokens', 'outputTokens', 'costUsd'] as const

const difference = (sum: number | null, used: number | null): number | null =>
  sum === null ? null : sum - (used ?? 0)
