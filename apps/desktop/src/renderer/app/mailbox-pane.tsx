import { useEffect, useState } from 'react'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import type { MailboxId, RunId } from '@shared/model/ids'
import { mailboxReference } from '@shared/format/references'
import { Button } from '../components/button'
import { EmptyState } from '../components/empty-state'
import { Menu, MenuItem, MenuSeparator } from '../components/menu'
import { Segmented } from '../components/segmented'
import { CleanUpDialog } from '../features/mailboxes/clean-up-dialog'
import { DiscardPushDialog } from '../features/mailboxes/discard-push-dialog'
import { MailboxHeader } from '../features/mailboxes/mailbox-header'
import { NowStrip } from '../features/mailboxes/now-strip'
import { commandErrorText } from '../features/mailboxes/strings'
import { usePendingPush } from '../features/mailboxes/use-pending-push'
import { TimelinePane } from '../features/timeline/timeline-pane'
import { engine } from '../lib/engine-client'
import { useActions } from '../lib/keyboard/actions'
import { deepLinkOf } from '../lib/navigation/deep-links'
import { openView } from '../lib/navigation/store'
import { homeView } from '../lib/navigation/view'
import { openOverlay } from '../lib/overlays'
import { copyText, openExternal } from '../lib/shell'
import { showToast } from '../lib/toasts'
import { useCommand } from '../lib/use-command'
import { useQueryEntry } from '../lib/use-query-entry'
import { inTheWayOfCleanUp, mailboxActions } from './mailbox-actions'
import { IssuePanel, PlanDialog, PushDialog } from './screens'

export interface MailboxPaneProps {
  readonly mailboxId: MailboxId
  readonly revealRunId: RunId | null
}

type Side = 'sessions' | 'issue'

/** One mailbox: its header, what happens now, its sessions; for the built-in forge the issue itself as well. */
export function MailboxPane({ mailboxId, revealRunId }: MailboxPaneProps) {
  const { data: mailbox, isError } = useQueryEntry('mailboxes.get', { mailboxId })
  useMarkSeen(mailboxId, mailbox?.now ?? null)
  if (isError) {
    return (
      <main className="pane" data-pane="timeline" aria-label="Mailbox">
        <EmptyState motif={{ icon: 'circle-help' }} title="This issue is not here any more">
          It was removed, or is no longer assigned to Alfred.
        </EmptyState>
      </main>
    )
  }
  if (!mailbox) return <main className="pane" aria-label="Mailbox" />
  return <LoadedPane mailbox={mailbox} revealRunId={revealRunId} />
}

function LoadedPane({
  mailbox,
  revealRunId,
}: {
  readonly mailbox: MailboxDetail
  readonly revealRunId: RunId | null
}) {
  const [side, setSide] = useState<Side>('sessions')
  const [isPlanOpen, setPlanOpen] = useState(false)
  const [isCleaningUp, setCleaningUp] = useState(false)
  const pending = usePendingPush(mailbox)
  const reference = mailboxReference(mailbox.kind, mailbox.iid, mailbox.forgeKind)
  const validate = useCommand('mailboxes.validatePlan')
  const start = useCommand('mailboxes.startWork')
  const isLocal = mailbox.forgeKind === 'local'
  const canValidate = mailbox.needsYou === 'validate_plan'
  const findSessions = (): void => openOverlay({ kind: 'find-sessions', mailboxId: mailbox.id, reference })

  const validatePlan = async (): Promise<void> => {
    if (!isLocal && mailbox.url !== null) {
      openExternal(mailbox.url)
      return
    }
    const result = await validate.run({ mailboxId: mailbox.id })
    if (result.ok) setPlanOpen(false)
    else showToast({ title: 'The plan was not validated', description: commandErrorText(result.error) })
  }
  const startWork = async (): Promise<void> => {
    const result = await start.run({ mailboxId: mailbox.id })
    if (!result.ok) showToast({ title: 'Work did not start', description: commandErrorText(result.error) })
  }
  const turnTo = side === 'sessions' ? 'issue' : 'sessions'
  useActions(
    mailboxActions(mailbox, {
      validatePlan: () => void validatePlan(),
      readPlan: () => setPlanOpen(true),
      startWork: () => void startWork(),
      turnTo: isLocal ? { side: turnTo, run: () => setSide(turnTo) } : null,
      cleanUp: () => setCleaningUp(true),
    }),
  )
  return (
    <main className="pane" aria-label={`Mailbox ${reference}`}>
      <div data-pane="header" className="flex-none">
        <MailboxHeader
          mailbox={mailbox}
          actions={
            <>
              {isLocal && <SideSwitch side={side} onChange={setSide} />}
              <MoreMenu
                mailbox={mailbox}
                onReadPlan={() => setPlanOpen(true)}
                onFindSessions={findSessions}
                onCleanUp={() => setCleaningUp(true)}
              />
              {isCleaningUp && <CleanUpDialog mailbox={mailbox} onClose={() => setCleaningUp(false)} />}
            </>
          }
        />
        {mailbox.now !== null && (
          <NowStrip
            now={mailbox.now}
            onWatch={({ runId, phase }) =>
              openView(
                phase === 'terminal'
                  ? { screen: 'terminal', mailboxId: mailbox.id, runId, isOpen: true }
                  : { screen: 'run', runId },
              )
            }
            onValidatePlan={() => void validatePlan()}
            isValidating={validate.isBusy}
            isValidatedOnForge={!isLocal}
            isValidatedAgain={mailbox.plan?.isApproved === true}
            onRead={
              mailbox.plan !== null ? () => setPlanOpen(true) : isLocal ? () => setSide('issue') : undefined
            }
            push={pending}
            onCancelImage={() => void engine.command('app.cancelImageBuild', {})}
          />
        )}
      </div>
      {side === 'issue' && isLocal ? (
        <IssuePanel projectId={mailbox.projectId} iid={mailbox.iid} />
      ) : (
        <TimelinePane
          mailbox={mailbox}
          revealRunId={revealRunId}
          isStarting={start.isBusy}
          onStart={() => void startWork()}
        />
      )}
      {pending?.dialog === 'diff' && <PushDialog reference={reference} answers={pending} />}
      {pending?.dialog === 'discard' && <DiscardPushDialog reference={reference} answers={pending} />}
      {mailbox.plan !== null && isPlanOpen && (
        <PlanDialog
          isOpen
          onOpenChange={setPlanOpen}
          reference={reference}
          plan={mailbox.plan}
          canValidate={canValidate}
          isValidating={validate.isBusy}
          isValidatedOnForge={!isLocal}
          onValidate={() => void validatePlan()}
        />
      )}
    </main>
  )
}

function SideSwitch({ side, onChange }: { readonly side: Side; readonly onChange: (side: Side) => void }) {
  return (
    <Segmented<Side>
      label="What is shown"
      value={side}
      onChange={onChange}
      test="mailbox-side"
      options={[
        { value: 'sessions', label: 'Sessions', test: 'show-sessions' },
        { value: 'issue', label: 'Issue', test: 'show-issue' },
      ]}
    />
  )
}

function MoreMenu({
  mailbox,
  onReadPlan,
  onFindSessions,
  onCleanUp,
}: {
  readonly mailbox: MailboxDetail
  readonly onReadPlan: () => void
  readonly onFindSessions: () => void
  readonly onCleanUp: () => void
}) {
  const link = deepLinkOf({ ...homeView, mailboxId: mailbox.id })
  const { branchName } = mailbox
  return (
    <Menu trigger={<Button size="sm" icon="ellipsis" isIconOnly label="More actions" test="mailbox-more" />}>
      {mailbox.plan !== null && (
        <>
          <MenuItem label="Read the plan" icon="file-text" onSelect={onReadPlan} test="read-plan" />
          <MenuSeparator />
        </>
      )}
      {branchName !== null && (
        <MenuItem label="Copy the branch name" icon="git-branch" onSelect={() => copyText(branchName)} />
      )}
      {link !== null && (
        <MenuItem label="Copy the link of this issue" icon="copy" onSelect={() => copyText(link)} />
      )}
      {mailbox.kind === 'issue' && (
        <>
          <MenuSeparator />
          <MenuItem
            label="Find sessions…"
            icon="search"
            onSelect={onFindSessions}
            test="open-find-sessions"
          />
        </>
      )}
      <MenuSeparator />
      <MenuItem
        label="Clean up…"
        icon="trash"
        isDanger
        disabledReason={inTheWayOfCleanUp(mailbox)}
        onSelect={onCleanUp}
        test="clean-up"
      />
    </Menu>
  )
}

/** What is looked at is not unread any more; also when it changes under the eyes. */
function useMarkSeen(mailboxId: MailboxId, now: MailboxDetail['now']): void {
  const change = JSON.stringify(now?.kind ?? null)
  useEffect(() => {
    if (!document.hidden) void engine.command('mailboxes.markSeen', { mailboxId })
  }, [mailboxId, change])
}
