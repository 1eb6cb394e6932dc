import type { RunDetail } from '@shared/contract/runs'
import { formatAge, formatDuration, formatTokens } from '@shared/format'
import { totalTokens } from '@shared/format/tokens'
import type { Outcome, Trigger } from '@shared/model/words'
import { losesMemory } from '@shared/phase-words'
import { beganFresh } from '@shared/timeline/session-badge'
import type { ChipTone } from '../../components/chip'
import type { IconName } from '../../components/icon'

/** What started the run, after "trigger:". */
export const triggerWords: Readonly<Record<Trigger, string>> = {
  assigned: 'assigned to Alfred',
  trigger_label: 'the trigger label',
  plan_validated: 'the plan was validated',
  answered: 'the questions were answered',
  retry: 'a retry',
  review: 'review comments',
  ci_red: 'red CI',
  conflict: 'a merge conflict',
  person: 'started by hand',
  import: 'bound by hand',
  demo: 'the demo',
}

export const triggerSentence = (detail: Pick<RunDetail, 'trigger' | 'requestedBy'>): string =>
  `trigger: ${triggerWords[detail.trigger]}${detail.requestedBy === null ? '' : ` by ${detail.requestedBy}`}`

export interface StateWords {
  readonly text: string
  readonly tone: ChipTone
  readonly icon: IconName | null
}

const outcomes: Readonly<Record<Outcome, StateWords>> = {
  succeeded: { text: 'Done', tone: 'ok', icon: 'circle-check' },
  failed: { text: 'Failed', tone: 'bad', icon: 'circle-x' },
  timed_out: { text: 'Timed out', tone: 'bad', icon: 'clock' },
  stopped: { text: 'Stopped', tone: 'neutral', icon: 'square' },
  interrupted: { text: 'Interrupted', tone: 'warn', icon: 'plug' },
  out_of_memory: { text: 'Out of memory', tone: 'bad', icon: 'hard-drive' },
  result_refused: { text: 'Result refused', tone: 'bad', icon: 'ban' },
  account_limit: { text: 'Account limit', tone: 'warn', icon: 'lock' },
}

export const isLive = (row: Pick<RunDetail['row'], 'state'>): boolean => row.state !== 'ended'

/** How the run stands, with the time it has taken: "Running 4m 12s". Live ones have a dot in place of an icon. */
export function stateWords(detail: Pick<RunDetail, 'row' | 'nextAttemptAt'>, now: number): StateWords {
  const { row, nextAttemptAt } = detail
  const took = row.startedAt === null ? '' : ` ${formatDuration((row.endedAt ?? now) - row.startedAt)}`
  switch (row.state) {
    case 'queued': {
      const waits = nextAttemptAt !== null && nextAttemptAt > now
      const text = waits ? `Queued, next try in ${formatAge(nextAttemptAt - now)}` : 'Queued'
      return { text, tone: 'neutral', icon: 'clock' }
    }
    case 'preparing':
      return { text: `Preparing${took}`, tone: 'run', icon: null }
    case 'running':
      return { text: `Running${took}`, tone: 'run', icon: null }
    case 'stopping':
      return { text: 'Stopping', tone: 'warn', icon: null }
    case 'ended': {
      const outcome = outcomes[row.outcome ?? 'failed']
      return { ...outcome, text: `${outcome.text}${took}` }
    }
  }
}

/** "attempt 2 · limit 45m · 1 retry after a provider error". */
export function attemptWords(detail: Pick<RunDetail, 'attempts' | 'timeoutMs' | 'llmRetries'>): string {
  const number = detail.attempts.at(-1)?.number ?? 1
  const starts = detail.attempts.at(-1)?.starts ?? []
  return [
    `attempt ${number}`,
    `limit ${formatLimit(detail.timeoutMs)}`,
    starts.some((start) => start.kind === 'fallback') ? 'started again fresh' : null,
    detail.llmRetries > 0
      ? `${detail.llmRetries} ${detail.llmRetries === 1 ? 'retry' : 'retries'} after a provider error`
      : null,
  ]
    .filter((part) => part !== null)
    .join(' · ')
}

/** A time limit has no seconds worth showing: `45m`, `1h 30m`, `90s`. */
export function formatLimit(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`
  if (ms % 60_000 === 0 && ms < 3_600_000) return `${ms / 60_000}m`
  return formatDuration(ms)
}

/** "claude-code 2.1.332 · bedrock · opus": the agent, who serves its model, and the model, as far as they are known. */
export const agentWords = ({
  adapter,
  adapterVersion,
  provider,
  model,
}: Pick<RunDetail['row'], 'adapter' | 'adapterVersion' | 'provider' | 'model'>): string =>
  [[adapter, adapterVersion].filter(Boolean).join(' '), provider, model].filter(Boolean).join(' · ')

/**
 * What a run took that lost its memory: all its tokens, since nobody can tell which of them it read again. null:
 * nothing was lost, or nothing could be read again.
 */
export function lossWords(
  row: Pick<
    RunDetail['row'],
    'resumeFallback' | 'nativeSessionId' | 'state' | 'inputTokens' | 'cachedTokens' | 'outputTokens'
  >,
): { readonly text: string; readonly tokens: number | null } | null {
  if (!losesMemory(row.resumeFallback) || !beganFresh(row)) return null
  const tokens = totalTokens(row)
  const text =
    tokens === null
      ? 'The memory was lost; what this run took is unknown.'
      : `The memory was lost: this run took ${formatTokens(tokens)} tokens.`
  return { text, tokens }
}
