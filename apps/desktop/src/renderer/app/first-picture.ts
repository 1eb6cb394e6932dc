import type { QueryClient } from '@tanstack/react-query'
import { mailboxListQuery } from '../features/mailboxes/use-mailboxes'
import { newestPageOf } from '../features/timeline/use-timeline'
import { bridge } from '../lib/bridge'
import { homeView } from '../lib/navigation/view'
import { entryQuery } from '../lib/use-query-entry'
import { readTheRest } from './later'

/*
 * What home shows first is asked for while React still draws the frame, so that the list, the mailbox and its timeline
 * do not each wait for the picture before. The screens find the answers, or the questions, in the client.
 */

/** Asks for all that the first picture shows; ends once it is answered. */
async function askForFirstPicture(client: QueryClient): Promise<void> {
  const list = client.fetchInfiniteQuery(mailboxListQuery({ ...homeView, text: '' })).catch(() => null)
  void client.prefetchQuery(entryQuery('mailboxes.counts', {}))
  void client.prefetchQuery(entryQuery('mailboxes.projects', {}))
  void client.prefetchQuery(entryQuery('app.status', {}))
  void client.prefetchQuery(entryQuery('app.info', {}))
  const first = (await list)?.pages[0]?.rows[0]
  if (first === undefined) return
  await Promise.all([
    client.prefetchQuery(entryQuery('mailboxes.get', { mailboxId: first.id })),
    client.prefetchQuery(entryQuery('sessions.timeline', newestPageOf(first.id))),
  ])
}

/** For so long after the first picture nothing else is begun, so that it can be used at once. */
const calmMs = 250

/** The first picture, and when it stands what was left for later: other screens here, the work there. */
export async function beginWithFirstPicture(client: QueryClient): Promise<void> {
  await askForFirstPicture(client)
  requestIdleCallback(
    () => {
      setTimeout(() => {
        bridge().shell.pictureReady()
        readTheRest()
      }, calmMs)
    },
    { timeout: 1_000 },
  )
}
