import type { RunId } from '@shared/model/ids'
import type { Run } from '@shared/model/records'
import { settleTurn } from '../chats/settle-turn'
import type { RunParts } from './run-parts'
import { readRunRows } from './run-step'
import type { Finished } from './start-scene'

/** Inside the step that ends the run: its results are stored and the workflow draws its conclusions, all or nothing. */
export function settleRun(
  parts: RunParts,
  runId: RunId,
  { harvest }: Finished,
  issueSha256: string | null,
): void {
  const { store, listener } = parts
  const { run } = readRunRows(store, runId)
  const hasSucceeded = run.outcome === 'succeeded'
  const head = harvest?.head ?? null
  store.runs.update(runId, {
    headSha: head?.sha ?? null,
    commits: harvest?.isCollected === true ? (head?.commits ?? 0) : null,
    result: hasSucceeded ? (harvest?.result?.outcome ?? null) : null,
  })
  settleTurn(parts, run)
  listener.onRunEnded({
    runId,
    result: hasSucceeded ? (harvest?.result ?? null) : null,
    commits: head?.commits ?? 0,
    issueSha256,
  })
  parts.startSuccessor(store.runs.get(runId))
  expectTerminal(parts, run)
}

/** Who waits for the end of this run comes to the terminal that follows it. */
function expectTerminal({ store, terminals }: RunParts, { id, mailboxId }: Run): void {
  const next = store.runs.findLive(mailboxId)
  if (next?.phase === 'terminal' && terminals.isAwaited(id)) terminals.expect(next.id)
}
