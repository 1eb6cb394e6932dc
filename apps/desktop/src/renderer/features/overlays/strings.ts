import { formatDuration } from '@shared/format'
import { formatExactCost } from '@shared/format/costs'
import type { RunEventKind } from '@shared/model/words'

export const stopText = 'Its work and memory are kept; nothing more is posted.'

export const takeOverText = (ownerId: number, heldMs: number, runId: number): string =>
  `Run ${ownerId} has used this issue for ${formatDuration(heldMs)}. Stopping it takes up to 10s; its work and memory are kept. Then run ${runId} is repeated.`

/** `costUsd` is what the run cost that is done once more, the nearest figure there is; null: unknown. */
export const startFreshText = (costUsd: number | null): string =>
  `It is kept and can be continued later. ${
    costUsd === null || costUsd === 0
      ? 'Reading everything again costs time and tokens.'
      : `Reading again costs about ${formatExactCost(costUsd)}.`
  }`

export const stopAllTitle = (count: number): string => (count === 1 ? 'Stop 1 run?' : `Stop ${count} runs?`)

const numberWords = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'] as const

/** `Two runs are still live` */
export const quitTitle = (count: number): string =>
  count === 1 ? 'One run is still live' : `${numberWords[count] ?? count} runs are still live`

export const quitLead = 'Quitting ends Alfred, not the containers, unless you stop them.'

export const quitChoices = {
  keep_running: {
    title: 'Keep them running',
    text: 'The containers go on. Alfred attaches to them again at the next start and posts nothing meanwhile.',
    button: 'Quit, keep running',
  },
  stop: {
    title: 'Stop them first',
    text: 'Takes up to 10s. Work and sessions are kept, so each issue can go on from here.',
    button: 'Stop and quit',
  },
} as const

export const errorText = (error: {
  readonly type: string
  readonly message?: string
  readonly runId?: number
}): string => {
  switch (error.type) {
    case 'already_running':
      return `Run ${error.runId ?? ''} of this issue is live.`
    case 'running':
      return `Run ${error.runId ?? ''} of this issue uses the memory. Stop it first, or wait for its end.`
    case 'memory_removed':
      return 'The memory was removed at cleanup.'
    case 'owner_gone':
      return 'The engine does not answer.'
    default:
      return error.message ?? 'It did not work. Diagnostics has the details.'
  }
}

/** What of a run a hit is. */
export const eventKindWords: Readonly<Record<RunEventKind, string>> = {
  notice: 'notice',
  session: 'session',
  text: 'agent text',
  thought: 'thought',
  tool: 'tool call',
  tool_result: 'tool output',
  usage: 'figures',
  retry: 'retry',
  warning: 'warning',
  error: 'error',
  result: 'result',
  cut: 'cut',
  output: 'output',
}

/** `3 of 41 transcript hits, 38 ms` */
export const hitCount = (shown: number, total: number, isTotalCut: boolean, tookMs: number): string =>
  `${shown} of ${total.toLocaleString('en')}${isTotalCut ? '+' : ''} transcript ${total === 1 ? 'hit' : 'hits'}, ${Math.max(1, Math.round(tookMs))} ms`
