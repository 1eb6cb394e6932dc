import type { RunId } from '@shared/model/ids'

/** One run: transcript, diff, facts (run.html). Fills the body beside the rail. */
export function RunScreen({ runId }: { readonly runId: RunId }) {
  return <main data-test="run-screen">{`run ${runId}`}</main>
}
