import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { mailboxListQuery } from '../features/mailboxes/use-mailboxes'
import { newestPageOf } from '../features/timeline/use-timeline'
import { bridge } from '../lib/bridge'
import type { QueryChannel, QueryOutput } from '../lib/engine-client'
import { homeView } from '../lib/navigation/view'
import { queryClient } from '../lib/query-client'
import { queryKeyOf } from '../lib/use-query-entry'
import { App } from './app'
import { firstAnswers, type Asked, type FirstAnswers } from './first-answers'
import { readTheRest } from './later'

/*
 * Draws the first picture while this module is read, and not when somebody calls it: the code that V8 has compiled by
 * the end of a module is kept for the next start, and what it compiles afterwards it compiles anew at every start.
 */

/** For so long after the first picture nothing else is begun, so that it can be used at once. */
const calmMs = 250

const asked = firstAnswers()
const root = document.querySelector('#root')
if (asked) holdAnswers(queryClient, asked)
if (root) flushSync(() => createRoot(root).render(<App />))
if (asked) void asked.done.then(() => goOnWhenCalm(queryClient, asked))

/** The screens find the answers, or the questions, in the client. */
function holdAnswers(client: QueryClient, { home, counts, projects, status, info }: FirstAnswers): void {
  hold(client, queryKeyOf('mailboxes.counts', {}), counts)
  hold(client, queryKeyOf('mailboxes.projects', {}), projects)
  hold(client, queryKeyOf('app.status', {}), status)
  hold(client, queryKeyOf('app.info', {}), info)
  const list = mailboxListQuery({ ...homeView, text: '' })
  if (home.value) {
    holdFirstMailbox(client, home.value)
    client.setQueryData(list.queryKey, { pages: [home.value.list], pageParams: [list.initialPageParam] })
    return
  }
  const listOf = (answer: QueryOutput<'mailboxes.home'>): QueryOutput<'mailboxes.list'> => {
    holdFirstMailbox(client, answer)
    return answer.list
  }
  void client.prefetchInfiniteQuery({ ...list, queryFn: async () => listOf(await home.answer) })
}

function hold<C extends QueryChannel>(
  client: QueryClient,
  queryKey: QueryKey,
  { value, answer }: Asked<C>,
): void {
  if (value === undefined) void client.prefetchQuery({ queryKey, queryFn: () => answer })
  else client.setQueryData(queryKey, value)
}

/** The first row's mailbox and timeline are held before the list is answered, so that nobody asks for them again. */
function holdFirstMailbox(client: QueryClient, { first }: QueryOutput<'mailboxes.home'>): void {
  if (first === null) return
  client.setQueryData(queryKeyOf('mailboxes.get', { mailboxId: first.mailbox.id }), first.mailbox)
  client.setQueryData(queryKeyOf('sessions.timeline', newestPageOf(first.mailbox.id)), first.timeline)
}

/** When the picture stands, what was left for later begins: other screens here, the work there. */
function goOnWhenCalm(client: QueryClient, answers: FirstAnswers): void {
  requestIdleCallback(
    () => {
      setTimeout(() => {
        bridge().shell.pictureReady()
        readTheRest()
        askAgainWhatMoves(client, answers)
      }, calmMs)
    },
    { timeout: 1_000 },
  )
}

/** A picture that took longer than this (ms) may be one of what was. */
const oldPictureMs = 2_000

/**
 * Where runs are live, or the picture came late, something may have changed between the first questions and the page's
 * following the changes.
 */
function askAgainWhatMoves(client: QueryClient, { status: { value: status } }: FirstAnswers): void {
  const isMoving = status !== undefined && status.running + status.queued > 0
  if (isMoving || performance.now() > oldPictureMs) void client.invalidateQueries()
}
