import { useState } from 'react'
import type { TrackerChange, TrackerIssue } from '@shared/contract/tracker'
import type { ProjectId } from '@shared/model/ids'
import { Chip } from '../../components/chip'
import { EmptyState } from '../../components/empty-state'
import { Icon } from '../../components/icon'
import { SkeletonRows } from '../../components/skeleton'
import { onRovingKey, rovingButton } from '../../lib/keyboard/roving-buttons'
import { useQueryEntry } from '../../lib/use-query-entry'
import { ChangeView } from './change-view'
import { changeLooks } from './change-words'
import { IssueBody } from './issue-body'
import { IssueComments } from './issue-comments'
import { IssueSide } from './issue-side'

export interface IssuePanelProps {
  readonly projectId: ProjectId
  readonly iid: number
  /** Where no header above it says the title. */
  readonly showsTitle?: boolean
}

/** The issue itself, for the built-in forge: text, labels, people, comments, change. Fills a pane. */
export function IssuePanel({ projectId, iid, showsTitle = false }: IssuePanelProps) {
  const { data: issue, isError } = useQueryEntry('tracker.getIssue', { projectId, iid })
  const [changeIid, setChangeIid] = useState<number | null>(null)
  if (isError) return <EmptyState motif={{ icon: 'circle-help' }} title="This issue is not here any more" />
  if (!issue) return <SkeletonRows count={8} height={40} />
  if (changeIid !== null)
    return <ChangeView projectId={projectId} iid={changeIid} onBack={() => setChangeIid(null)} />
  return (
    <div
      className="issue-panel"
      data-test="issue-panel"
      data-value={issue.iid}
      data-state={issue.isOpen ? 'open' : 'closed'}
      data-pane="issue"
    >
      <div className="grid max-w-[760px] min-w-0 flex-1 content-start gap-4">
        <IssueBody key={`${projectId}:${iid}`} issue={issue} showsTitle={showsTitle} />
        <Changes issue={issue} onOpen={setChangeIid} />
        <IssueComments issue={issue} />
      </div>
      <aside className="w-[200px] flex-none" aria-label="People and labels">
        <IssueSide issue={issue} />
      </aside>
    </div>
  )
}

function Changes({
  issue,
  onOpen,
}: {
  readonly issue: TrackerIssue
  readonly onOpen: (iid: number) => void
}) {
  if (issue.changes.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys of the buttons inside
    <section aria-label="Changes" className="card overflow-hidden" onKeyDown={onRovingKey}>
      {issue.changes.map((change, index) => (
        <ChangeRow
          key={change.iid}
          change={change}
          isTabStop={index === 0}
          onOpen={() => onOpen(change.iid)}
        />
      ))}
    </section>
  )
}

type ChangeRowProps = {
  readonly change: Pick<TrackerChange, 'iid' | 'title' | 'state' | 'sourceBranch' | 'hasConflicts'>
  readonly isTabStop: boolean
  readonly onOpen: () => void
}

function ChangeRow({ change, isTabStop, onOpen }: ChangeRowProps) {
  const look = changeLooks[change.state]
  return (
    <button
      type="button"
      className="flex min-h-10 w-full items-center gap-2 border-b border-line px-3 py-1.5 text-left text-12 last:border-b-0 hover:bg-hover focus-visible:outline-offset-[-2px]"
      {...rovingButton(isTabStop)}
      data-test="issue-change"
      data-value={change.iid}
      data-state={change.state}
      onClick={onOpen}
    >
      <Icon name="git-pull-request" size={14} className="text-ink-3" />
      <span className="flex-none text-ink-3">{`!${change.iid}`}</span>
      <span className="cut font-medium">{change.title}</span>
      <span className="cut grow font-mono text-11 text-ink-3">{change.sourceBranch}</span>
      {change.hasConflicts && <Chip tone="warn" icon="warning" text="Conflicts" />}
      <Chip tone={look.tone} icon={look.icon} text={look.text} />
      <Icon name="chevron-right" size={12} className="text-ink-3" />
    </button>
  )
}
