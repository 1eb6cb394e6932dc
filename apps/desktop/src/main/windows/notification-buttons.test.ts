import { describe, expect, it } from 'vitest'
import type { MailboxId, RunId } from '@shared/model/ids'
import { notificationButtons } from './notification-buttons'

const message = {
  id: 1,
  title: '',
  body: '',
  runId: 3 as RunId,
  mailboxId: 5 as MailboxId,
  setting: null,
} as const

describe('the buttons of a notification', () => {
  it('lead to where a memory was lost, to the run, and on with it as a chat', () => {
    expect(notificationButtons({ ...message, kind: 'run-finished-fallback' })).toEqual([
      { text: 'See why', link: 'alfred://mailbox/5/run/3' },
      { text: 'Open run', link: 'alfred://run/3' },
      { text: 'Continue as chat', link: 'alfred://run/3/chat' },
    ])
    for (const kind of ['run-finished', 'blocked'] as const)
      expect(notificationButtons({ ...message, kind })).toEqual([
        { text: 'Open run', link: 'alfred://run/3' },
        { text: 'Continue as chat', link: 'alfred://run/3/chat' },
      ])
  })

  it('lead to the list of what happened meanwhile, and to a login', () => {
    const nothing = { ...message, runId: null, mailboxId: null }
    expect(notificationButtons({ ...nothing, kind: 'grouped' })).toEqual([
      { text: 'Show all', link: 'alfred://notifications' },
    ])
    expect(notificationButtons({ ...nothing, kind: 'login-expiring' })).toEqual([
      { text: 'Renew', link: 'alfred://agents' },
    ])
    expect(notificationButtons({ ...nothing, kind: 'interrupted' })).toEqual([])
  })
})
