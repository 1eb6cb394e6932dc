import type { Clock } from '../ports/clock'
import type { Logger } from '../ports/logger'
import type { TranscriptSearch } from '../ports/transcript-search'

/** So few at once that neither the window nor a stream notices. */
const batch = 50
const restMs = 20
/** How long words may be stored before they are found. */
const lookEveryMs = 2_000
const afterFailureMs = 60_000

/** Takes new events of transcripts into the search, beside the runs, until the signal aborts. */
export async function runSearchIndexer(
  parts: { readonly transcripts: TranscriptSearch; readonly clock: Clock; readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  const { transcripts, clock, logger } = parts
  while (!signal.aborted) {
    await clock.sleep(indexSome(transcripts, logger), signal)
  }
}

/** Returns how long to wait for more. */
function indexSome(transcripts: TranscriptSearch, logger: Logger): number {
  try {
    return transcripts.indexNext(batch) < batch ? lookEveryMs : restMs
  } catch (error) {
    logger.warn('transcripts are not searchable for now', { error: String(error) })
    return afterFailureMs
  }
}
