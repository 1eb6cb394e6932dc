import type { QueryClient } from '@tanstack/react-query'
import { homeQuestion } from '@shared/first-questions'
import { mailboxListQuery } from '../features/mailboxes/use-mailboxes'
import { newestPageOf } from '../features/timeline/use-timeline'
import { bridge } from '../lib/bridge'
import { engine, type QueryOutput } from '../lib/engine-client'
import { homeView } from '../lib/navigation/view'
import { entryQuery, queryKeyOf } from '../lib/use-query-entry'
import { readTheRest } from './later'

/*
 * What home shows first is asked for at once, in one question, and drawn at once with its frame. The screens find the
 * answers, or the questions, in the client.
 */

const homeList = { ...homeView, text: '' }

/** Asks for all that the first picture shows; ends once it is answered, well or not. */
async function askForFirstPicture(client: QueryClient): Promise<void> {
  const home = askForHome(client)
  const rest = Promise.all([
    client.prefetchQuery(entryQuery('mailboxes.counts', {})),
    client.prefetchQuery(entryQuery('mailboxes.projects', {})),
    client.prefetchQuery(entryQuery('app.status', {})),
    client.prefetchQuery(entryQuery('app.info', {})),
  ])
  await client.prefetchInfiniteQuery({
    ...mailboxListQuery(homeList),
    queryFn: async () => (await home).list,
  })
  await rest
}

/** The first row's mailbox and timeline are held before the list is answered, so that nobody asks for them again. */
async function askForHome(client: QueryClient): Promise<QueryOutput<'mailboxes.home'>> {
  const home = await engine.query('mailboxes.home', homeQuestion)
  if (home.first === null) return home
  const { mailbox, timeline } = home.first
  client.setQueryData(queryKeyOf('mailboxes.get', { mailboxId: mailbox.id }), mailbox)
  client.setQueryData(queryKeyOf('sessions.timeline', newestPageOf(mailbox.id)), timeline)
  return home
}

/** For so long after the first picture nothing else is begun, so that it can be used at once. */
const calmMs = 250

/** An engine that takes longer is waited for with the frame on the screen. */
const frameAfterMs = 300

/** Draws the first picture, and when it stands begins what was left for later: other screens here, the work there. */
export async function beginWithFirstPicture(client: QueryClient, draw: () => void): Promise<void> {
  const asked = askForFirstPicture(client)
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, frameAfterMs))])
  draw()
  await asked
  requestIdleCallback(
    () => {
      setTimeout(() => {
        bridge().shell.pictureReady()
        readTheRest()
        askAgainWhatMoves(client)
      }, calmMs)
    },
    { timeout: 1_000 },
  )
}

/** Where runs are live, something may have changed between the first questions and the page's following the changes. */
function askAgainWhatMoves(client: QueryClient): void {
  const status = client.getQueryData<QueryOutput<'app.status'>>(queryKeyOf('app.status', {}))
  if (status !== undefined && status.running + status.queued > 0) void client.invalidateQueries()
}
