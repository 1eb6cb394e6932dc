import { describe, expect, it } from 'vitest'
import type { MailboxId } from '@shared/model/ids'
import type { NotificationKind } from '../../ports/notifications'
import { groupedText } from './grouped-text'

let mailbox = 0
/** Each about an issue of its own. */
const told = (...kinds: readonly NotificationKind[]) =>
  kinds.map((kind) => ({ kind, mailboxId: (mailbox += 1) as MailboxId }))

describe('several messages as one', () => {
  it('say how many runs ended, how, and how many of them lost their memory', () => {
    const runs = told(
      'run-finished',
      'run-finished-fallback',
      'run-finished-fallback',
      'needs-you',
      'blocked',
    )
    expect(groupedText(runs)).toEqual({
      kind: 'grouped',
      title: '5 runs ended while you were away',
      body: '3 done · 1 needs you · 1 blocked. Two of them lost their memory.',
    })
  })

  it('say it of one run, and of several that need somebody', () => {
    expect(groupedText(told('needs-you', 'needs-you', 'run-finished-fallback')).body).toBe(
      '1 done · 2 need you. One of them lost its memory.',
    )
  })

  it('count a run once that is done and waits for a person, and still say that it lost its memory', () => {
    const [run] = told('run-finished-fallback')
    const messages = [run!, { ...run!, kind: 'needs-you' as const }, ...told('run-finished')]
    expect(groupedText(messages)).toMatchObject({
      title: '2 runs ended while you were away',
      body: '1 done · 1 needs you. One of them lost its memory.',
    })
  })

  it('call what is no end of a run a thing', () => {
    expect(groupedText(told('blocked', 'interrupted', 'login-expiring', 'budget'))).toMatchObject({
      title: '4 things happened while you were away',
      body: '1 blocked · 1 interrupted · 1 about a login · 1 about the budget.',
    })
  })
})
