import type { RunDetail } from '@shared/contract/runs'
import { formatBytes, shortId } from '@shared/format'
import { isLive } from './run-words'

export interface EmptyTranscript {
  readonly title: string
  readonly text: string
}

/** Why a transcript has no event, and what comes by itself. */
export function emptyTranscript({ row, sandbox }: Pick<RunDetail, 'row' | 'sandbox'>): EmptyTranscript {
  if (row.isImported)
    return {
      title: 'No events',
      text: 'No agent ran here: what was said before lies in the session that you brought in.',
    }
  if (row.phase === 'terminal')
    return {
      title: isLive(row) ? 'Nothing said yet' : 'No events',
      text: 'What is said in a terminal is shown there alone. The agent keeps it in its session.',
    }
  if (!isLive(row)) return { title: 'No events', text: 'This run ended before the agent said anything.' }
  if (row.state === 'queued')
    return { title: 'Nothing said yet', text: 'The run waits for its turn; its first words come here.' }
  return {
    title: sandbox?.runner === 'host' ? 'The agent is starting' : 'The container is starting',
    text: memoryWords(row) ?? 'The first words of the agent come here.',
  }
}

/** null: nothing was asked for, or it is proven already. */
function memoryWords(row: RunDetail['row']): string | null {
  if (row.badge !== 'pending' || row.requestedSessionId === null) return null
  const size = row.stateBytesBefore === null ? '' : ` (${formatBytes(row.stateBytesBefore)})`
  return `Asked to resume ${shortId(row.requestedSessionId)}${size}. The badge stays “Resuming…” until the agent proves it.`
}
