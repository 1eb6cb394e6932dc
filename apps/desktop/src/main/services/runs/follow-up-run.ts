import type { RunId } from '@shared/model/ids'
import type { RunParts } from './run-parts'
import { writeRunRecord } from './run-record'
import { readRunRows } from './run-step'

/**
 * What follows once a run has ended or waits in the queue again: redacted logs, its record, no container, and a person
 * who knows. An engine can die between any two of them, so each is done once however often this is called; the next
 * engine calls it for every run that is still unsettled.
 */
export async function followUpRun(parts: RunParts, runId: RunId, detach: AbortSignal): Promise<void> {
  const { store } = parts
  const run = store.runs.get(runId)
  if (run.state === 'ended') parts.terminals.end(runId)
  const attempts = store.runs.listAttempts(runId)
  const starts = attempts.flatMap((attempt) =>
    store.runs.listStarts(attempt.id).map((start) => ({ attempt, start })),
  )
  for (const { attempt, start } of starts)
    await parts.files.redactStreams(run.uid, { attempt: attempt.number, start: start.number })
  const isSaid = store.chats.findMessage(runId, 'person') !== null
  // What a person said is kept, also of a turn that never came so far as to have a folder.
  if (isSaid) await parts.folders.prepare(parts.paths.run(run.uid))
  if (isSaid || readRunRows(store, runId).starts.length > 0) writeRunRecord(parts, runId)
  let isGone = true
  for (const { start } of starts) {
    if (start.containerId === null) continue
    const removed = detach.aborted ? null : await parts.runtimeOf(run.runner).remove(start.containerId)
    isGone &&= removed?.ok === true
  }
  const now = store.runs.get(runId)
  // A message and the note that nothing is left to do are one: neither is missing, neither comes twice.
  store.transaction(() => {
    if (now.state !== 'ended' || !store.notifications.isToldOf(runId)) parts.onSettled(now)
    if (now.state === 'ended' && isGone) store.runs.setUnsettled(runId, false)
  })
  if (now.state === 'ended') parts.listener.afterRunEnded(runId)
}
