import type { runsContract } from '@shared/contract/runs'
import { err, ok } from '@shared/result'
import type { TranscriptQueries } from '../services/queries/transcript-queries'
import type { RunQueries } from '../services/queries/run-queries'
import { toTranscriptEvent } from '../services/queries/run-queries'
import type { RunEventFeed } from '../services/runs/run-event-feed'
import type { RunService } from '../services/runs/run-service'
import type { HandlersOf } from './dispatch'

export interface RunHandlerParts {
  readonly queries: RunQueries
  readonly transcripts: TranscriptQueries
  readonly runs: RunService
  readonly feed: RunEventFeed
}

const noRun = (id: number) => err({ type: 'not_found', what: `run ${id}` } as const)

export function createRunHandlers({
  queries,
  transcripts,
  runs,
  feed,
}: RunHandlerParts): HandlersOf<typeof runsContract> {
  return {
    get: async ({ runId }) => {
      const found = await queries.get(runId)
      return found === null ? noRun(runId) : ok(found)
    },
    events: ({ runId, afterSeq, beforeSeq, limit }) => {
      const found = queries.events(runId, afterSeq, beforeSeq, limit)
      return found === null ? noRun(runId) : ok(found)
    },
    diff: async ({ runId }) => {
      const found = await queries.diff(runId)
      return found === null ? noRun(runId) : ok(found)
    },
    prompt: async ({ runId }) => {
      const text = await queries.prompt(runId)
      return text === null ? noRun(runId) : ok({ text })
    },
    rawLog: async ({ runId, stream, offset, limit }) => {
      const page = await queries.rawLog(runId, stream, offset, limit)
      return page === null ? noRun(runId) : ok(page)
    },
    searchTranscripts: ({ text, limit }) => ok(transcripts.search(text, limit)),
    request: ({ mailboxId, phase, resumeChoice }) => runs.request(mailboxId, phase, resumeChoice),
    stop: ({ runId }) => runs.stop(runId),
    stopAll: () => ok({ stopped: runs.stopAll() }),
    retry: ({ runId, resumeChoice, takeOver }) =>
      takeOver === true ? runs.takeOver(runId, resumeChoice) : runs.retry(runId, resumeChoice),
    live: ({ runId }, emit) =>
      feed.subscribe(runId, ({ events, partial }) =>
        emit({ events: events.map(toTranscriptEvent), ...(partial !== undefined && { partial }) }),
      ),
  }
}
