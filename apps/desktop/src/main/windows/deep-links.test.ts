import { describe, expect, it } from 'vitest'
import { mailboxIdSchema, runIdSchema } from '@shared/model/ids'
import { acceptLink, linkInArguments, linkTo } from './deep-links'

const nothing = { runId: null, mailboxId: null, setting: null }

describe('links', () => {
  it.each(['alfred://run/431', 'alfred://mailbox/7', 'alfred://settings', 'alfred://mailbox/12/run/427'])(
    'accepts %s',
    (link) => {
      expect(acceptLink(link)).toBe(link)
    },
  )

  it('takes the slash off that some desktops put at the end', () => {
    expect(acceptLink('alfred://run/431/')).toBe('alfred://run/431')
  })

  it.each([
    'alfred://',
    'alfred://run/1/../../x',
    'alfred://run/1?x=<script>',
    'https://run/1',
    `alfred://run/${'9'.repeat(300)}`,
    '--flag',
  ])('refuses %s', (link) => {
    expect(acceptLink(link)).toBeNull()
  })

  it('finds the link among the arguments of a second start', () => {
    expect(linkInArguments(['/opt/alfred', '--no-sandbox', 'alfred://run/9'])).toBe('alfred://run/9')
    expect(linkInArguments(['/opt/alfred', '.'])).toBeNull()
  })

  it('passes on that there was one with odd letters, and nothing of it', () => {
    const odd = [
      'alfred://run/1?x=<script>',
      'ALFRED:run/1',
      'alfred://run/1 --inspect',
      `alfred://${'a'.repeat(300)}`,
    ]
    for (const link of odd) expect(linkInArguments(['/opt/alfred', link])).toBe('alfred://odd')
    expect(linkInArguments(['/opt/alfred', 'alfred://%2e%2e', 'alfred://run/9'])).toBe('alfred://run/9')
  })

  it('leads to the run before the mailbox before the list', () => {
    const runId = runIdSchema.parse(3)
    const mailboxId = mailboxIdSchema.parse(5)
    expect(linkTo({ ...nothing, runId, mailboxId })).toBe('alfred://run/3')
    expect(linkTo({ ...nothing, mailboxId })).toBe('alfred://mailbox/5')
    expect(linkTo(nothing)).toBe('alfred://home')
    expect(linkTo({ ...nothing, kind: 'interrupted' })).toBe('alfred://home')
  })

  it('leads to where a memory was lost, and to the list of what happened meanwhile', () => {
    const lost = {
      kind: 'run-finished-fallback',
      runId: runIdSchema.parse(3),
      mailboxId: mailboxIdSchema.parse(5),
    } as const
    expect(linkTo(lost)).toBe('alfred://mailbox/5/run/3')
    expect(linkTo({ ...nothing, kind: 'grouped' })).toBe('alfred://notifications')
    expect(linkTo({ ...nothing, kind: 'login-expiring' })).toBe('alfred://agents')
  })

  it('leads to the setting that a message is about', () => {
    const setting = { key: 'DAY_BUDGET_USD', scope: 'project', scopeId: 7 } as const
    const link = linkTo({ runId: null, mailboxId: null, setting })
    expect(link).toBe('alfred://settings/project/7/day-budget-usd')
    expect(acceptLink(link)).toBe(link)
  })
})
