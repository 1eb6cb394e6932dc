import type { Clock } from '../ports/clock'
import type { Logger } from '../ports/logger'
import type { TranscriptSearch } from '../ports/transcript-search'

/** So few at once that neither the window nor a stream notices. */
const batch = 50
const restMs = 20
/** While events come faster than they are taken up, a stream is being stored: that comes first. */
const givingWayMs = 500
/** How long words may be stored before they are found. */
const lookEveryMs = 2_000
const afterFailureMs = 60_000

/** Takes new events of transcripts into the search, beside the runs, until the signal aborts. */
export async function runSearchIndexer(
  parts: { readonly transcripts: TranscriptSearch; readonly clock: Clock; readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  const { transcripts, clock, logger } = parts
  let behind = 0
  /** Returns how long to wait for more. */
  const indexSome = (): number => {
    const isAll = transcripts.indexNext(batch) < batch
    const before = behind
    behind = isAll ? 0 : transcripts.behind()
    if (isAll) return lookEveryMs
    return behind > before ? givingWayMs : restMs
  }
  while (!signal.aborted) {
    await clock.sleep(guarded(indexSome, logger), signal)
  }
}

function guarded(indexSome: () => number, logger: Logger): number {
  try {
    return indexSome()
  } catch (error) {
    logger.warn('transcripts are not searchable for now', { error: String(error) })
    return afterFailureMs
  }
}
