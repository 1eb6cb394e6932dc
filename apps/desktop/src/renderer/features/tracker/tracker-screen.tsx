import { useDeferredValue, useEffect, useState, type KeyboardEvent } from 'react'
import type { TrackerIssueRow } from '@shared/contract/tracker'
import { isoWithOffset } from '@shared/format/times'
import type { ProjectId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { Icon } from '../../components/icon'
import { SearchInput } from '../../components/search-input'
import { Select } from '../../components/select'
import { SkeletonRows } from '../../components/skeleton'
import { classNames } from '../../lib/class-names'
import { useMinute } from '../../lib/clock'
import { isPlainStroke, rovingTarget } from '../../lib/keyboard/roving'
import { replaceView } from '../../lib/navigation/store'
import { openOverlay } from '../../lib/overlays'
import { formatAgo } from '../../lib/time-format'
import { useQueryEntry } from '../../lib/use-query-entry'
import { IssuePanel } from './issue-panel'
import { LabelChip } from './label-chip'

export interface TrackerScreenProps {
  readonly projectId: ProjectId | null
  readonly iid: number | null
}

const pageSize = 100

/** The built-in forge's issues: list with search, the chosen issue beside it. */
export function TrackerScreen({ projectId, iid }: TrackerScreenProps) {
  const [text, setText] = useState('is:open')
  const [listed, setListed] = useState<ProjectId | null>(projectId)
  const query = useDeferredValue(text)
  const { data: projects } = useQueryEntry('tracker.listProjects', {})
  const { data: page } = useQueryEntry(
    'tracker.listIssues',
    { projectId: listed, query, limit: pageSize, cursor: null },
    { keepPrevious: true },
  )
  const rows = page?.rows
  const first = rows?.[0]
  // opened for a project and not for an issue: its list is shown, and the first of it chosen like any other
  useEffect(() => {
    if (iid === null) setListed(projectId)
  }, [iid, projectId])
  useEffect(() => {
    if (iid === null && first && (projectId === null || first.projectId === projectId)) choose(first)
  }, [iid, projectId, first])

  const options = projects?.map((project) => ({
    value: String(project.id),
    label: `${project.organization}/${project.slug}`,
    note: `${project.openIssues} open`,
  }))
  return (
    <div className="flex min-h-0 min-w-0 flex-1" data-test="tracker-screen">
      <section
        className="flex w-[260px] flex-none flex-col border-r border-line bg-bg wide:w-[320px]"
        aria-label="Issues of the built-in forge"
        data-pane="issues"
      >
        <div className="grid flex-none gap-2 border-b border-line p-2.5">
          <div className="flex items-center gap-2">
            <h1 className="grow text-13 font-semibold">Issues</h1>
            <Button
              size="sm"
              icon="plus"
              label="New issue"
              onClick={() => openOverlay({ kind: 'new-issue' })}
            />
          </div>
          <Select
            label="Project"
            value={listed === null ? 'all' : String(listed)}
            onChange={(next) => {
              const project = projects?.find((one) => String(one.id) === next)?.id ?? null
              setListed(project)
              replaceView({ screen: 'tracker', projectId: project, iid: null })
            }}
            options={[{ value: 'all', label: 'All projects' }, ...(options ?? [])]}
          />
          <SearchInput
            label="Words, #12, is:open, label:x, assignee:me"
            value={text}
            onChange={setText}
            test="tracker-search"
          />
        </div>
        {!rows && <SkeletonRows count={6} height={56} />}
        {rows && rows.length > 0 && <IssueList rows={rows} shownIid={iid} shownProject={projectId} />}
        {rows?.length === 0 && (
          <EmptyState
            motif={{ icon: 'search' }}
            title={text === 'is:open' ? 'No open issue' : 'Nothing found'}
            test="empty-search"
          >
            {text === 'is:open'
              ? 'Write one, and assign it to Alfred.'
              : 'Search by words, number, label or person.'}
          </EmptyState>
        )}
        {page && page.total > page.rows.length && (
          <p className="flex-none px-3 py-2 text-11 text-ink-3">
            {`${page.rows.length} of ${page.total} shown; search to narrow it.`}
          </p>
        )}
      </section>
      <main className="pane min-w-0 flex-1" aria-label="Issue">
        {iid !== null && projectId !== null ? (
          <IssuePanel key={`${projectId}:${iid}`} projectId={projectId} iid={iid} showsTitle />
        ) : (
          rows && <EmptyState motif={{ thread: 'none' }} title="No issue is chosen" />
        )}
      </main>
    </div>
  )
}

const choose = (row: Pick<TrackerIssueRow, 'projectId' | 'iid'>): void =>
  replaceView({ screen: 'tracker', projectId: row.projectId, iid: row.iid })

interface IssueListProps {
  readonly rows: readonly TrackerIssueRow[]
  readonly shownIid: number | null
  readonly shownProject: ProjectId | null
}

/** One tab stop; arrows and J, K move the choice. */
function IssueList({ rows, shownIid, shownProject }: IssueListProps) {
  const index = rows.findIndex((row) => row.iid === shownIid && row.projectId === shownProject)
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (!isPlainStroke(event)) return
    const next = rovingTarget(event.key, index, rows.length)
    const row = next === null ? undefined : rows[next]
    if (!row) return
    event.preventDefault()
    choose(row)
    event.currentTarget.querySelectorAll<HTMLElement>('[role=option]')[next ?? 0]?.focus()
  }
  return (
    <div
      className="min-h-0 grow overflow-y-auto"
      role="listbox"
      aria-label="Issues"
      data-test="issue-list"
      data-letter-keys
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {rows.map((row, position) => (
        <IssueRow
          key={`${row.projectId}:${row.iid}`}
          row={row}
          isChosen={position === index}
          isTabStop={position === Math.max(0, index)}
          onChoose={() => choose(row)}
        />
      ))}
    </div>
  )
}

interface IssueRowProps {
  readonly row: TrackerIssueRow
  readonly isChosen: boolean
  readonly isTabStop: boolean
  readonly onChoose: () => void
}

function IssueRow({ row, isChosen, isTabStop, onChoose }: IssueRowProps) {
  const now = useMinute()
  return (
    <div
      role="option"
      aria-selected={isChosen}
      tabIndex={isTabStop ? 0 : -1}
      data-test="issue-row"
      data-value={row.iid}
      data-state={row.isOpen ? 'open' : 'closed'}
      className={classNames(
        'grid gap-1 border-b border-line px-3 py-2 focus-visible:outline-offset-[-2px]',
        isChosen ? 'bg-selected' : 'hover:bg-hover',
      )}
      onClick={onChoose}
      onKeyDown={(event) => event.key === 'Enter' && onChoose()}
    >
      <span className="flex items-center gap-1.5 text-12 text-ink-3">
        <Icon
          name={row.isOpen ? 'circle-dot' : 'circle-check'}
          size={13}
          className={row.isOpen ? undefined : 'text-ok'}
        />
        <span className="sr">{row.isOpen ? 'Open' : 'Closed'}</span>
        {`#${row.iid}`}
        {row.assignees.some((person) => person.isAlfred) && <span className="text-accent">Alfred</span>}
        <span className="grow" />
        {row.comments > 0 && (
          <span className="flex items-center gap-1">
            <Icon name="message" size={12} />
            {row.comments}
            <span className="sr"> comments</span>
          </span>
        )}
        <span title={isoWithOffset(row.updatedAt)}>{formatAgo(row.updatedAt, now)}</span>
      </span>
      <span className="line-clamp-2 text-13 font-strong">{row.title}</span>
      {row.labels.length > 0 && (
        <span className="flex flex-wrap gap-1">
          {row.labels.slice(0, 3).map((label) => (
            <LabelChip key={label.name} label={label} />
          ))}
        </span>
      )}
    </div>
  )
}
