import type { MailboxDetail } from '@shared/contract/mailboxes'
import { formatDuration } from '@shared/format'
import { mailboxReference } from '@shared/format/references'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { useNow } from '../../lib/clock'
import { openOverlay } from '../../lib/overlays'
import { openView } from '../../lib/navigation/store'
import { settingsView } from '../../lib/navigation/view'
import { scopeName } from './scope-name'

export interface EmptyTimelineProps {
  readonly mailbox: MailboxDetail
  readonly isStarting: boolean
  readonly onStart: () => void
}

/** A mailbox without a session: why, what it will be called, and what comes next. */
export function EmptyTimeline({ mailbox, isStarting, onStart }: EmptyTimelineProps) {
  if (mailbox.kind === 'merge_request') {
    return (
      <EmptyState motif={{ thread: 'none' }} title="Merge requests have no memory" test="empty-mr-sessions">
        Only issues keep a session. Runs here always carry the full context, so nothing is missing.
      </EmptyState>
    )
  }
  if (mailbox.sessionsOffScope !== null)
    return <SessionsOff scope={mailbox.sessionsOffScope} mailbox={mailbox} />
  const canStart = mailbox.isOpen && mailbox.now === null
  return (
    <EmptyState
      motif={{ thread: 'begins' }}
      title="No session yet"
      test="empty-timeline"
      actions={
        <>
          {canStart && (
            <Button
              variant="primary"
              icon="play"
              label="Start analysis now"
              isBusy={isStarting}
              test="start-work"
              onClick={onStart}
            />
          )}
          <Button
            icon="search"
            label="Find sessions…"
            title="Sessions that you made by hand with an agent CLI"
            test="empty-find-sessions"
            onClick={() =>
              openOverlay({
                kind: 'find-sessions',
                mailboxId: mailbox.id,
                reference: mailboxReference(mailbox.kind, mailbox.iid, mailbox.forgeKind),
              })
            }
          />
        </>
      }
    >
      <NextRun mailbox={mailbox} /> Its session will be called{' '}
      <span className="mono selectable">{mailbox.nextBranchName}</span>.
    </EmptyState>
  )
}

function NextRun({ mailbox }: { readonly mailbox: MailboxDetail }) {
  const now = useNow(mailbox.nextPollAt !== null)
  if (mailbox.nextAdapter === null) return 'No agent is installed that could work on it.'
  if (mailbox.now !== null && mailbox.now.kind !== 'needs_you') return 'The first run is on its way.'
  if (!mailbox.isOpen) return 'The issue is closed.'
  if (mailbox.nextPollAt === null) return 'The analysis run starts when the issue is assigned to Alfred.'
  const wait = mailbox.nextPollAt - now
  return `The analysis run starts at the next poll${wait > 0 ? `, in ${formatDuration(wait)}` : ''}.`
}

function SessionsOff({
  scope,
  mailbox: { projectId, projectPath },
}: {
  readonly scope: NonNullable<MailboxDetail['sessionsOffScope']>
  readonly mailbox: MailboxDetail
}) {
  return (
    <EmptyState
      motif={{ icon: 'unlink' }}
      title="Sessions are off for this project"
      test="empty-sessions-off"
      actions={
        <Button
          icon="settings"
          label="Open the setting"
          onClick={() =>
            openView(
              scope === 'app'
                ? { ...settingsView, key: 'AGENT_SESSION_RESUME' }
                : { screen: 'settings', scope: 'project', scopeId: projectId, key: 'AGENT_SESSION_RESUME' },
            )
          }
        />
      }
    >
      Runs start fresh each time because <span className="mono">AGENT_SESSION_RESUME</span> is off, set for{' '}
      {scopeName(scope, projectPath)}. Nothing is stored.
    </EmptyState>
  )
}
