import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import type { MailboxId, RunId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { terminalLimitNote } from '../../lib/terminal-limit'
import { queryKeyOf } from '../../lib/use-query-entry'
import { OpeningTerminal, ProblemCard } from './opening-terminal'

const mailboxId = 3 as MailboxId
const note = 'A terminal is stopped after 8h 00m, also when nobody looks at it. Its work and memory are kept.'

it('how long a terminal may stay is said while it opens', () => {
  const queries = new QueryClient()
  const mailbox = { terminalLimitMs: 8 * 3_600_000 } as MailboxDetail
  queries.setQueryData(queryKeyOf('mailboxes.get', { mailboxId }), mailbox)
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <OpeningTerminal mailboxId={mailboxId} runId={7 as RunId} />
    </QueryClientProvider>,
  )
  expect(html).toContain('The terminal opens…')
  expect(html).toContain(note)
})

it('the button that opens one says it before, to those who hear it as well', () => {
  const hint = terminalLimitNote(8 * 3_600_000)
  const html = renderToStaticMarkup(<Button label="Resume in terminal" hint={hint} />)
  const id = /aria-describedby="([^"]+)"/.exec(html)?.[1]
  expect(html).toContain(`<span id="${id}" hidden="">${note}</span>`)
})

it('what keeps it from opening is said in the place of the hint', () => {
  const html = renderToStaticMarkup(
    <Button label="Resume" hint={note} disabledReason="its memory was removed" />,
  )
  expect(html).toContain('its memory was removed')
  expect(html).not.toContain(note)
})

it('an agent that is not signed in is signed in from there', () => {
  const html = renderToStaticMarkup(
    <ProblemCard
      problem={{ type: 'login_missing', adapter: 'codex', message: 'codex is not signed in.' }}
      note={null}
      isBusy={false}
      onOpen={() => undefined}
    />,
  )
  for (const words of ['codex is not signed in.', 'Sign in in a terminal: codex', 'Open agents', 'Try again'])
    expect(html).toContain(words)
})
