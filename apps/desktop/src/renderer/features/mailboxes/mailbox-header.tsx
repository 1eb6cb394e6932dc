import type { ReactNode } from 'react'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import { counted, formatCost } from '@shared/format'
import { formatCostSum } from '@shared/format/costs'
import { changeReference, mailboxReference } from '@shared/format/references'
import { formatTokenTotal } from '@shared/format/tokens'
import { Button } from '../../components/button'
import { Chip } from '../../components/chip'
import { CopyId } from '../../components/copy-id'
import { Icon } from '../../components/icon'
import { keysOf } from '../../lib/keyboard/key-map'
import { openExternal } from '../../lib/shell'
import { ProgressSteps } from './progress-steps'

export interface MailboxHeaderProps {
  readonly mailbox: MailboxDetail
  /** Beside "Open on forge": the menu of more actions. */
  readonly actions?: ReactNode
}

/** What a mailbox is: title, branch, change, sums, and how far it has come. */
export function MailboxHeader({ mailbox, actions }: MailboxHeaderProps) {
  const { url } = mailbox
  return (
    <header className="mailbox-header">
      <div className="flex min-w-0 items-center gap-2">
        <span className="flex-none text-16 text-ink-3">
          {mailboxReference(mailbox.kind, mailbox.iid, mailbox.forgeKind)}
        </span>
        <h1 className="cut grow text-16 font-semibold" data-test="mailbox-title" title={mailbox.title}>
          {mailbox.title}
        </h1>
        {url !== null && (
          <Button
            size="sm"
            icon="external-link"
            label="Open on forge"
            spokenLabel={`Open on forge, ${mailboxReference(mailbox.kind, mailbox.iid, mailbox.forgeKind)}`}
            title={keysOf('open-on-forge')}
            test="open-on-forge"
            onClick={() => openExternal(url)}
          />
        )}
        {actions}
      </div>
      <div className="flex min-w-0 items-center gap-3.5 text-12 text-ink-2">
        <Branch mailbox={mailbox} />
        {mailbox.changeIid !== null && (
          <span
            className="flex flex-none items-center gap-[5px]"
            data-test="mailbox-change"
            data-value={mailbox.changeIid}
          >
            <Icon name="git-pull-request" size={13} />
            {changeReference(mailbox.changeIid, mailbox.forgeKind)}
          </span>
        )}
        <span className="flex flex-none items-center gap-2">
          <span className="text-ink-3">{counted(mailbox.sessionCount, 'session')}</span>
          <MailboxCost mailbox={mailbox} />
          {mailbox.sessionCount > 0 && (
            <span>{mailbox.tokens === null ? 'tokens unknown' : formatTokenTotal(mailbox.tokens)}</span>
          )}
        </span>
      </div>
      <div className="mt-0.5 flex min-w-0 items-center gap-2">
        <ProgressSteps steps={mailbox.progress} />
        {mailbox.status !== null && (
          <Chip
            text={`status::${mailbox.status}`}
            className="mono"
            test="mailbox-status"
            value={mailbox.status}
          />
        )}
      </div>
    </header>
  )
}

function Branch({ mailbox }: { readonly mailbox: MailboxDetail }) {
  const name = mailbox.branchName
  if (name === null) {
    return (
      <span
        className="flex min-w-0 grow items-center gap-[5px]"
        title="The name that the first session will get"
      >
        <Icon name="git-branch" size={13} className="text-ink-3" />
        <span className="mono cut text-ink-3" data-test="mailbox-branch" data-value="">
          {mailbox.nextBranchName}
        </span>
      </span>
    )
  }
  return (
    <span className="flex min-w-0 grow items-center gap-[5px]">
      <Icon name="git-branch" size={13} />
      <CopyId id={name} text={name} what="branch name" className="text-12!" test="mailbox-branch" />
    </span>
  )
}

function MailboxCost({ mailbox }: { readonly mailbox: MailboxDetail }) {
  const { costUsd, costUnknown, sessionCount } = mailbox
  if (sessionCount === 0) return null
  const isPartial = costUsd !== null && costUnknown > 0
  return (
    <span
      data-test="mailbox-cost"
      data-value={costUsd ?? ''}
      aria-label={`Cost ${formatCostSum(costUsd, costUnknown)}`}
    >
      {costUsd === null ? (
        'cost unknown'
      ) : (
        <span className="font-medium text-ink">{formatCost(costUsd)}</span>
      )}
      {isPartial && ` + ${costUnknown} unknown`}
    </span>
  )
}
