import type { ProjectSummary } from '@shared/contract/mailboxes'
import { counted } from '@shared/format'
import { Button } from '../components/button'
import { EmptyState } from '../components/empty-state'
import { setListText } from './list-text'
import { openHome, openView } from '../lib/navigation/store'
import type { HomeView } from '../lib/navigation/view'
import { openOverlay } from '../lib/overlays'
import { useQueryEntry } from '../lib/use-query-entry'

export interface EmptyListProps {
  readonly view: HomeView
  readonly text: string
  readonly project: ProjectSummary | null
  readonly hasProjects: boolean
}

/** Why the list has no row: nothing typed fits, nothing needs anybody, no issue, no project. */
export function EmptyList({ view, text, project, hasProjects }: EmptyListProps) {
  if (text.trim() !== '') {
    return (
      <EmptyState
        motif={{ icon: 'search' }}
        title={`Nothing found for “${text.trim()}”`}
        test="empty-search"
        actions={<Button label="Clear the filter" onClick={() => setListText('')} />}
      >
        Titles and numbers of this list were searched.
      </EmptyState>
    )
  }
  if (!hasProjects) {
    return (
      <EmptyState motif={{ icon: 'inbox' }} title="No issue yet" test="empty-mailboxes">
        Issues of watched projects stand here.
      </EmptyState>
    )
  }
  if (project !== null) return <NoIssues project={project} />
  if (view.filter === 'needs-you') return <NothingNeedsYou />
  return (
    <EmptyState
      motif={{ thread: 'none' }}
      title="Nothing here"
      test="empty-mailboxes"
      actions={
        view.filter !== 'all-open' && (
          <Button
            icon="list"
            label="Show all open"
            keys="Ctrl+1"
            onClick={() => openHome({ filter: 'all-open', projectId: null, mailboxId: null })}
          />
        )
      }
    >
      {view.filter === 'all-open'
        ? 'No issue is assigned to Alfred. It looks again by itself.'
        : 'No issue is in this state now.'}
    </EmptyState>
  )
}

function NothingNeedsYou() {
  const { data: counts } = useQueryEntry('mailboxes.counts', {})
  const live = counts?.running ?? 0
  const inReview = counts?.['in-review'] ?? 0
  return (
    <EmptyState
      motif={{ thread: 'joined' }}
      title="Nothing needs you"
      test="empty-needs-you"
      actions={
        <Button
          icon="list"
          label="Show all open"
          keys="Ctrl+1"
          onClick={() => openHome({ filter: 'all-open', projectId: null, mailboxId: null })}
        />
      }
    >
      {counted(live, 'run')} {live === 1 ? 'is' : 'are'} live and {counted(inReview, 'issue')}{' '}
      {inReview === 1 ? 'is' : 'are'} in review. You get a notification when that changes.
    </EmptyState>
  )
}

function NoIssues({ project }: { readonly project: ProjectSummary }) {
  const isLocal = project.forgeKind === 'local'
  return (
    <EmptyState
      motif={{ thread: 'none' }}
      title="No issue is assigned to Alfred"
      test="empty-mailboxes"
      actions={
        isLocal && <Button icon="plus" label="New issue" onClick={() => openOverlay({ kind: 'new-issue' })} />
      }
    >
      {isLocal
        ? 'Write an issue and assign it to Alfred; work on it begins at once.'
        : `Assign an issue in ${project.slug}. Alfred looks again by itself.`}
    </EmptyState>
  )
}

function NoProjects() {
  return (
    <EmptyState
      motif={{ thread: 'none' }}
      title="No project is watched"
      test="empty-projects"
      actions={
        <>
          <Button
            variant="primary"
            icon="play"
            label="Try the demo"
            onClick={() => openView({ screen: 'first-start' })}
            test="empty-try-demo"
          />
          <Button
            icon="plug"
            label="Connect a forge"
            onClick={() => openView({ screen: 'forges' })}
            test="empty-connect-forge"
          />
        </>
      }
    >
      Look around in the demo, or connect a Gitea or Forgejo server.
    </EmptyState>
  )
}

/** The pane beside an empty list. */
export function EmptyPane({
  hasProjects,
  isLoading,
}: {
  readonly hasProjects: boolean
  readonly isLoading: boolean
}) {
  return (
    <main className="pane" data-pane="timeline" aria-label="Mailbox">
      {isLoading ? null : hasProjects ? (
        <EmptyState motif={{ thread: 'none' }} title="No issue is selected">
          Choose one in the list to see its sessions.
        </EmptyState>
      ) : (
        <NoProjects />
      )}
    </main>
  )
}
