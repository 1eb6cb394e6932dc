import { useState } from 'react'
import type { RunId } from '@shared/model/ids'
import { useQueryEntry } from '../../lib/use-query-entry'
import { useStream } from '../../lib/use-stream'

/** When a run last did something that was seen; null: it is not known. Epoch ms. */
export function useLastSign(runId: RunId): number | null {
  const { data } = useQueryEntry('runs.events', { runId, afterSeq: null, beforeSeq: null, limit: 1 })
  const [latest, setLatest] = useState<number | null>(null)
  useStream('runs.live', { runId }, ({ events }) => setLatest(events.at(-1)?.at ?? latest))
  return latest ?? data?.events.at(-1)?.at ?? null
}
