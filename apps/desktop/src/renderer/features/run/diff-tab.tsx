import type { RunDetail } from '@shared/contract/runs'
import { DiffView } from '../../components/diff-view'
import { EmptyState } from '../../components/empty-state'
import { Notice } from '../../components/notice'
import { SkeletonRows } from '../../components/skeleton'
import { useQueryEntry } from '../../lib/use-query-entry'
import { isLive } from './run-words'

export interface DiffTabProps {
  readonly detail: RunDetail
  readonly path: string | null
  readonly onPathChange: (path: string) => void
}

/** What the run changed, from its base to its last commit. */
export function DiffTab({ detail, path, onPathChange }: DiffTabProps) {
  const { data, error } = useQueryEntry('runs.diff', { runId: detail.row.runId })
  if (error)
    return (
      <Notice tone="bad" icon="circle-x" className="m-4" title="The diff could not be read.">
        {error.message}
      </Notice>
    )
  if (!data) return <SkeletonRows count={12} height={24} />
  if (data.patch === '') {
    return (
      <EmptyState
        motif={{ icon: 'file' }}
        title={isLive(detail.row) ? 'No change yet' : 'This run changed no file'}
        test="empty-diff"
      >
        {isLive(detail.row) ? 'Changes are read at the end of the run.' : 'This run made no commit.'}
      </EmptyState>
    )
  }
  return (
    <div className="flex min-h-0 grow flex-col">
      {data.cut && (
        <Notice tone="warn" icon="scissors" className="m-2" title="The diff is cut.">
          It is larger than what is kept here. The branch has all of it.
        </Notice>
      )}
      <DiffView patch={data.patch} path={path} onPathChange={onPathChange} test="run-diff" />
    </div>
  )
}
