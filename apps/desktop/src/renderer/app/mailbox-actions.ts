import type { MailboxDetail } from '@shared/contract/mailboxes'
import { mailboxReference } from '@shared/format/references'
import type { Actions } from '../lib/keyboard/actions'
import { deepLinkOf } from '../lib/navigation/deep-links'
import { homeView } from '../lib/navigation/view'
import { openOverlay } from '../lib/overlays'
import { copyText, openExternal } from '../lib/shell'

/** What the pane of a mailbox does itself. */
export interface PaneDoes {
  readonly validatePlan: () => void
  readonly readPlan: () => void
  readonly startWork: () => void
  /** Absent where the issue itself is not shown here; else what it changes to. */
  readonly turnTo: { readonly side: 'sessions' | 'issue'; readonly run: () => void } | null
  readonly cleanUp: () => void
}

/** The run that uses the mailbox; its files are not removed meanwhile. null: none does. */
export const inTheWayOfCleanUp = ({ now }: Pick<MailboxDetail, 'now'>): string | null =>
  now !== null && 'runId' in now ? `waits for run ${now.runId}` : null

/** Work begins by hand where none has begun and none is on its way. */
export const canStartWork = ({
  kind,
  isOpen,
  now,
  sessionCount,
  sessionsOffScope,
}: Pick<MailboxDetail, 'kind' | 'isOpen' | 'now' | 'sessionCount' | 'sessionsOffScope'>): boolean =>
  kind === 'issue' && isOpen && now === null && sessionCount === 0 && sessionsOffScope === null

/** What can be done with a mailbox, for the keys and the palette; each stands on a button or in a menu as well. */
export function mailboxActions(mailbox: MailboxDetail, does: PaneDoes): Actions {
  const { url, branchName, plan } = mailbox
  const reference = mailboxReference(mailbox.kind, mailbox.iid, mailbox.forgeKind)
  const link = deepLinkOf({ ...homeView, mailboxId: mailbox.id })
  return {
    ...(url !== null && {
      'open-on-forge': { run: () => openExternal(url), label: `Open ${reference} on the forge` },
    }),
    ...(mailbox.kind === 'issue' && {
      'find-sessions': {
        run: () => openOverlay({ kind: 'find-sessions', mailboxId: mailbox.id, reference }),
        label: `Find sessions made by hand for ${reference}`,
      },
    }),
    ...(mailbox.needsYou === 'validate_plan' && {
      'validate-plan': { run: does.validatePlan, label: `Validate the plan for ${reference}` },
    }),
    ...(plan !== null && { 'read-plan': { run: does.readPlan, label: `Read the plan for ${reference}` } }),
    ...(canStartWork(mailbox) && {
      'start-work': { run: does.startWork, label: `Start the analysis of ${reference} now` },
    }),
    ...(does.turnTo !== null && {
      [`show-${does.turnTo.side}`]: {
        run: does.turnTo.run,
        label: does.turnTo.side === 'issue' ? `Show issue ${reference}` : `Show the sessions of ${reference}`,
      },
    }),
    ...(branchName !== null && { 'copy-branch-name': { run: () => copyText(branchName) } }),
    ...(link !== null && {
      'copy-issue-link': { run: () => copyText(link), label: `Copy the link of ${reference}` },
    }),
    'clean-up': {
      run: does.cleanUp,
      label: `Clean up ${reference}`,
      disabledReason: inTheWayOfCleanUp(mailbox),
    },
  }
}
