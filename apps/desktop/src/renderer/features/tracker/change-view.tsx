import { useRef, useState } from 'react'
import { counted } from '@shared/format'
import type { ProjectId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { Chip } from '../../components/chip'
import { ConfirmDialog } from '../../components/dialog'
import { DiffView } from '../../components/diff-view'
import { EmptyState } from '../../components/empty-state'
import { Notice } from '../../components/notice'
import { SkeletonRows } from '../../components/skeleton'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { useQueryEntry } from '../../lib/use-query-entry'
import { changeLooks, mergeReason } from './change-words'
import { trackerProblem } from './tracker-problem'

export interface ChangeViewProps {
  readonly projectId: ProjectId
  readonly iid: number
  readonly onBack: () => void
}

const mostDiffBytes = 2_000_000

/** A change of the built-in forge: what it changes, and the way to take it in. */
export function ChangeView({ projectId, iid, onBack }: ChangeViewProps) {
  const { data: change, isError } = useQueryEntry('tracker.getChange', {
    projectId,
    iid,
    maxDiffBytes: mostDiffBytes,
  })
  const merge = useCommand('tracker.mergeChange')
  const close = useCommand('tracker.closeChange')
  const [isAsking, setAsking] = useState(false)
  const [path, setPath] = useState<string | null>(null)
  const back = useRef<HTMLButtonElement>(null)

  if (isError)
    return (
      <EmptyState
        motif={{ icon: 'circle-help' }}
        title="This change is not here any more"
        actions={<Button label="Back" onClick={onBack} />}
      />
    )
  if (!change) return <SkeletonRows count={10} height={24} />
  const look = changeLooks[change.state]
  const reason = mergeReason(change)
  const problem = merge.error ?? close.error
  const mergeNow = async (): Promise<void> => {
    const result = await merge.run({
      projectId,
      iid,
      expectedHeadSha: change.headSha,
      deleteSourceBranch: false,
    })
    setAsking(false)
    if (result.ok)
      showToast({
        title: `!${iid} is merged`,
        description: `${change.sourceBranch} is in ${change.targetBranch} now.`,
      })
  }
  return (
    <div
      className="flex min-h-0 grow flex-col"
      data-test="change-view"
      data-value={change.iid}
      data-state={change.state}
      data-pane="change"
    >
      <div className="grid flex-none gap-1.5 border-b border-line px-4 py-2.5">
        <div className="flex items-center gap-2">
          <Button
            ref={back}
            size="sm"
            variant="quiet"
            icon="arrow-left"
            label="Issue"
            spokenLabel="Back to the issue"
            onClick={onBack}
          />
          <span className="text-ink-3">{`!${change.iid}`}</span>
          <h2 className="cut grow text-14 font-semibold" title={change.title}>
            {change.title}
          </h2>
          <Chip tone={look.tone} icon={look.icon} text={look.text} test="change-state" value={change.state} />
          {change.state === 'open' && (
            <>
              <Button
                label="Close"
                isBusy={close.isBusy}
                test="close-change"
                onClick={() => void close.run({ projectId, iid })}
              />
              <Button
                variant="primary"
                icon="git-merge"
                label="Merge"
                isBusy={merge.isBusy}
                disabledReason={reason}
                test="merge-change"
                onClick={() => setAsking(true)}
              />
            </>
          )}
        </div>
        <p className="flex flex-wrap gap-x-3 text-12 text-ink-2">
          <span className="font-mono text-11">{`${change.sourceBranch} → ${change.targetBranch}`}</span>
          <span>{change.commits === null ? 'commits unknown' : counted(change.commits, 'commit')}</span>
          {change.headSha && (
            <span className="font-mono text-11 text-ink-3">{change.headSha.slice(0, 10)}</span>
          )}
          {change.closesIid !== null && <span>{`closes #${change.closesIid}`}</span>}
        </p>
        {problem && (
          <p role="alert" className="text-12 text-bad">
            {trackerProblem(problem)}
          </p>
        )}
      </div>
      {change.problem !== null && (
        <Notice tone="warn" icon="warning" className="m-3" title="The diff could not be read.">
          {change.problem}
        </Notice>
      )}
      {change.patchIsCut && (
        <Notice tone="warn" icon="scissors" className="m-3" title="The diff is cut.">
          The branch has all of it.
        </Notice>
      )}
      {change.patch !== null && change.patch !== '' && (
        <DiffView patch={change.patch} path={path} onPathChange={setPath} test="change-diff" />
      )}
      {change.patch === '' && (
        <EmptyState motif={{ icon: 'file' }} title="Nothing changed" test="empty-diff">
          {`${change.sourceBranch} and ${change.targetBranch} are the same.`}
        </EmptyState>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={`Merge !${iid} into ${change.targetBranch}?`}
        text={`${change.commits === null ? 'Its commits' : counted(change.commits, 'commit')} of ${change.sourceBranch} become part of ${change.targetBranch}${change.closesIid === null ? '' : `, and issue #${change.closesIid} is closed`}.`}
        cancelLabel="Cancel"
        confirmLabel="Merge"
        confirmVariant="primary"
        isBusy={merge.isBusy}
        onCancel={() => setAsking(false)}
        onConfirm={() => void mergeNow()}
        test="merge-dialog"
        confirmTest="confirm-merge"
      />
    </div>
  )
}
