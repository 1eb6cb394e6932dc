import { useState } from 'react'
import { workText } from '@shared/cleanup-words'
import type { FinishedWorkspace } from '@shared/contract/mailboxes'
import { counted, formatBytes, formatDuration } from '@shared/format'
import { mailboxReference } from '@shared/format/references'
import type { MailboxId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { ConfirmDialog, Dialog } from '../../components/dialog'
import { EmptyState } from '../../components/empty-state'
import { SkeletonRows } from '../../components/skeleton'
import { useMinute } from '../../lib/clock'
import { queryClient } from '../../lib/query-client'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { queryKeyOf, useQueryEntry } from '../../lib/use-query-entry'

/** What the workspaces of finished issues hold; those that a person leaves chosen are removed, after asking. */
export function FreeSpaceDialog({ onClose }: { readonly onClose: () => void }) {
  const { data: workspaces, error } = useQueryEntry('mailboxes.finishedWorkspaces', {})
  const [kept, setKept] = useState<ReadonlySet<MailboxId>>(new Set())
  const [isAsking, setAsking] = useState(false)
  const free = useCommand('mailboxes.freeWorkspaces')
  const chosen = chosenOf(workspaces ?? [], kept)
  const bytes = formatBytes(sumOf(chosen))

  const confirm = async (): Promise<void> => {
    const result = await free.run({ mailboxIds: chosen.map(({ mailboxId }) => mailboxId) })
    setAsking(false)
    if (!result.ok) return
    await queryClient.invalidateQueries({ queryKey: queryKeyOf('mailboxes.finishedWorkspaces', {}) })
    onClose()
    const { removed, bytes: freed } = result.value
    showToast({
      title: `${formatBytes(freed)} freed`,
      description:
        removed === chosen.length
          ? `${counted(removed, 'workspace')} removed.`
          : `${counted(removed, 'workspace')} removed. What changed meanwhile was left alone.`,
    })
  }
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        title="Free space"
        className="w-[640px]"
        test="free-space-dialog"
        footer={
          <>
            <span className="min-w-0 grow text-12 text-ink-2" role="status" data-test="free-space-sum">
              {workspaces && `${counted(chosen.length, 'workspace')} chosen, ${bytes}`}
            </span>
            <Button size="lg" label="Cancel" onClick={onClose} />
            <Button
              size="lg"
              variant="danger"
              label={chosen.length === 0 ? 'Free space' : `Free ${bytes}`}
              disabledReason={chosen.length === 0 ? 'Choose a workspace that can be removed.' : null}
              test="free-space"
              onClick={() => setAsking(true)}
            />
          </>
        }
      >
        <p className="mt-1 text-13 text-ink-2">
          Workspaces of finished issues. Memory, commits and runs stay; a later run fetches the files again.
          What git ignores, such as installed packages, is removed for good.
        </p>
        <div
          className="card mt-3 max-h-[312px] min-h-[104px] overflow-y-auto"
          aria-busy={!workspaces && !error}
        >
          {!workspaces && !error && <SkeletonRows count={2} height={52} />}
          {workspaces?.map((workspace) => (
            <WorkspaceRow
              key={workspace.mailboxId}
              workspace={workspace}
              isChosen={chosen.includes(workspace)}
              onChange={(isChosen) => setKept(changed(kept, workspace.mailboxId, !isChosen))}
            />
          ))}
          {workspaces?.length === 0 && (
            <EmptyState
              motif={{ icon: 'folder' }}
              title="No finished issue has a workspace"
              test="empty-workspaces"
            >
              Free space elsewhere on the disk. Runs go on by themselves when there is room.
            </EmptyState>
          )}
        </div>
        {(error ?? free.error) && (
          <p role="alert" className="mt-2 text-12 text-bad" data-test="free-space-problem">
            Nothing was removed. {problemOf(free.error ?? error)}
          </p>
        )}
      </Dialog>
      <ConfirmDialog
        isOpen={isAsking}
        title={`Remove ${counted(chosen.length, 'workspace')}?`}
        text={`${bytes} become free. This cannot be taken back; memory, commits and runs are kept.`}
        cancelLabel="Cancel"
        confirmLabel={`Free ${bytes}`}
        isBusy={free.isBusy}
        onCancel={() => setAsking(false)}
        onConfirm={() => void confirm()}
        test="confirm-free-dialog"
        confirmTest="confirm-free"
      />
    </>
  )
}

interface WorkspaceRowProps {
  readonly workspace: FinishedWorkspace
  readonly isChosen: boolean
  readonly onChange: (isChosen: boolean) => void
}

function WorkspaceRow({ workspace, isChosen, onChange }: WorkspaceRowProps) {
  const now = useMinute()
  const { kind, iid, forgeKind, title, projectPath, closedAt, bytes, inTheWay } = workspace
  return (
    <label
      className="flex min-h-[52px] items-center gap-2.5 border-b border-line px-3 py-1.5 last:border-b-0 not-has-disabled:cursor-pointer not-has-disabled:hover:bg-hover"
      data-test="finished-workspace"
      data-mailbox={workspace.mailboxId}
      data-value={bytes}
    >
      <input
        type="checkbox"
        className="size-3.5 flex-none accent-accent"
        checked={isChosen}
        disabled={inTheWay !== null}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="min-w-0 grow">
        <span className="cut block text-13" title={title}>
          {mailboxReference(kind, iid, forgeKind)} {title}
        </span>
        <span className="cut block text-11 text-ink-2">{projectPath}</span>
        {inTheWay !== null && (
          <span className="block text-11 text-warn" data-test="workspace-obstacle">
            Left alone. {obstacleText(inTheWay)}
          </span>
        )}
      </span>
      <span className="flex-none text-right text-11 text-ink-2 tabular-nums">
        <span className="block">{formatBytes(bytes)}</span>
        <span className="block">closed {formatDuration(Math.max(0, now - closedAt))} ago</span>
      </span>
    </label>
  )
}

/** All that can be removed, but for what a person keeps. */
const chosenOf = (
  workspaces: readonly FinishedWorkspace[],
  kept: ReadonlySet<MailboxId>,
): readonly FinishedWorkspace[] =>
  workspaces.filter(({ mailboxId, inTheWay }) => inTheWay === null && !kept.has(mailboxId))

const sumOf = (workspaces: readonly FinishedWorkspace[]): number =>
  workspaces.reduce((sum, { bytes }) => sum + bytes, 0)

function changed(kept: ReadonlySet<MailboxId>, id: MailboxId, isKept: boolean): ReadonlySet<MailboxId> {
  const next = new Set(kept)
  if (isKept) next.add(id)
  else next.delete(id)
  return next
}

function obstacleText(obstacle: NonNullable<FinishedWorkspace['inTheWay']>): string {
  switch (obstacle.type) {
    case 'running':
      return `Run ${obstacle.runId} has not ended yet.`
    case 'has_work':
      return workText(obstacle)
    case 'not_removable':
      return obstacle.message
  }
}

const problemOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
    ? error.message
    : 'Diagnostics has the details.'
