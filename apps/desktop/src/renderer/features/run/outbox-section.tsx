import { Fragment } from 'react'
import type { RunDetail } from '@shared/contract/runs'
import { formatAge } from '@shared/format'
import { Icon, type IconName } from '../../components/icon'
import { Moment } from '../../components/moment'
import { useMinute } from '../../lib/clock'
import { FactsTitle } from './facts-title'

type OutboxRow = RunDetail['outbox'][number]

const kindWords: Readonly<Record<string, string>> = {
  comment: 'Comment on',
  status: 'Status of',
  remove_label: 'Label taken off',
  description: 'Description of',
  push: 'Push to',
  change: 'Change for',
  delete_branch: 'Removal of',
}

const looks: Readonly<
  Record<OutboxRow['state'], { readonly icon: IconName; readonly tone: string; readonly words: string }>
> = {
  waiting: { icon: 'circle-dashed', tone: 'text-ink-3', words: 'waits' },
  sending: { icon: 'circle-dashed', tone: 'text-run', words: 'sending' },
  sent: { icon: 'circle-check', tone: 'text-ok', words: 'sent' },
  failed: { icon: 'circle-x', tone: 'text-bad', words: 'failed' },
  dropped: { icon: 'minus', tone: 'text-ink-3', words: 'not sent' },
}

/** What Alfred wrote to the forge for this run, and what still waits. */
export function OutboxSection({ detail }: { readonly detail: RunDetail }) {
  const { outbox } = detail
  const now = useMinute()
  const sent = outbox.filter((row) => row.state === 'sent').length
  const waiting = outbox.filter((row) => row.state === 'waiting' || row.state === 'sending').length
  return (
    <section data-test="outbox" aria-label="Posted to the forge">
      <FactsTitle icon="upload" title="Posted to the forge">
        {outbox.length > 0 && (waiting > 0 ? `${sent} sent · ${waiting} wait` : `${sent} sent`)}
      </FactsTitle>
      {outbox.length === 0 && <p className="text-12 text-ink-3">Nothing so far.</p>}
      {outbox.map((row) => {
        const look = looks[row.state]
        const words = `${kindWords[row.kind] ?? row.kind} ${row.target}`
        return (
          <Fragment key={row.id}>
            <div
              className="facts-line"
              data-test="outbox-item"
              data-state={row.state}
              title={row.lastError ?? row.summary}
            >
              <Icon name={look.icon} size={13} className={look.tone} />
              <span className={row.state === 'sent' ? 'cut grow' : 'cut grow text-ink-2'}>
                {row.summary === '' ? words : `${words}: ${row.summary}`}
              </span>
              <span className="flex-none text-11 text-ink-3">
                <span className="sr">{`${look.words} `}</span>
                {row.sentAt === null ? waitWords(row, now) : <Moment at={row.sentAt} now={now} />}
              </span>
            </div>
            {tellsWhy(row) && (
              <p className="ml-[21px] text-12 break-words text-ink-2 select-text" data-test="outbox-reason">
                {row.lastError}
              </p>
            )}
          </Fragment>
        )
      })}
    </section>
  )
}

/** A push that was not done, and what is held back, say why below; another failure says it in its line. */
const tellsWhy = ({ kind, state, lastError }: OutboxRow): boolean =>
  lastError !== null &&
  (state === 'waiting' || (kind === 'push' && (state === 'dropped' || state === 'failed')))

function waitWords(row: OutboxRow, now: number): string {
  if (row.state === 'failed' && !tellsWhy(row)) return row.lastError ?? 'failed'
  if (row.nextAttemptAt !== null && row.nextAttemptAt > now && row.attempts > 0)
    return `next try in ${formatAge(row.nextAttemptAt - now)}`
  return looks[row.state].words
}
