import { useCallback, useRef, useState } from 'react'
import type { MailboxId } from '@shared/model/ids'
import { engine, type QueryInput } from '../../lib/engine-client'
import { useQueryEntry } from '../../lib/use-query-entry'
import { recall, remember } from './timeline-places'
import { withEarlier, withNewest, type LoadedRows, type TimelinePage } from './timeline-pages'

/** Rows of a page. */
const timelinePageSize = 100

/** What the newest page of a timeline is asked with. */
export const newestPageOf = (mailboxId: MailboxId): QueryInput<'sessions.timeline'> => ({
  mailboxId,
  beforeRunId: null,
  limit: timelinePageSize,
})

export interface Timeline {
  /** Null until the first page is there. */
  readonly loaded: LoadedRows | null
  readonly hasFailed: boolean
  readonly isLoadingEarlier: boolean
  /** Puts the page above on top; nothing if there is none or one is under way. */
  readonly loadEarlier: () => void
}

/** The sessions of a mailbox: the newest page, kept up to date, and what was read above it. */
export function useTimeline(mailboxId: MailboxId): Timeline {
  const { data: newest, isError } = useQueryEntry('sessions.timeline', newestPageOf(mailboxId))
  const [state, setState] = useState<{
    readonly mailboxId: MailboxId
    readonly newest: TimelinePage | undefined
    readonly loaded: LoadedRows | null
  }>({ mailboxId, newest: undefined, loaded: recall(mailboxId).loaded })

  if (state.mailboxId !== mailboxId || state.newest !== newest) {
    const before = state.mailboxId === mailboxId ? state.loaded : recall(mailboxId).loaded
    setState({ mailboxId, newest, loaded: newest ? withNewest(before, newest) : before })
  }
  const loaded = state.mailboxId === mailboxId ? state.loaded : null
  if (loaded) remember(mailboxId, { loaded })

  const [isLoadingEarlier, setLoadingEarlier] = useState(false)
  const isBusy = useRef(false)
  const loadEarlier = useCallback(() => {
    const first = loaded?.rows[0]
    if (!loaded?.hasEarlier || !first || isBusy.current) return
    isBusy.current = true
    setLoadingEarlier(true)
    engine
      .query('sessions.timeline', { mailboxId, beforeRunId: first.runId, limit: timelinePageSize })
      .then((page) =>
        setState((now) =>
          now.mailboxId === mailboxId && now.loaded ? { ...now, loaded: withEarlier(now.loaded, page) } : now,
        ),
      )
      // the page stays away; scrolling up asks for it again
      .catch(() => undefined)
      .finally(() => {
        isBusy.current = false
        setLoadingEarlier(false)
      })
  }, [loaded, mailboxId])
  return { loaded, hasFailed: isError, isLoadingEarlier, loadEarlier }
}
