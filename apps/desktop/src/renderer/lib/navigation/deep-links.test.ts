import { describe, expect, it } from 'vitest'
import { deepLinkOf, parseDeepLink } from './deep-links'
import { homeView } from './view'

describe('parseDeepLink', () => {
  it('opens exactly the run or the mailbox that is named', () => {
    expect(parseDeepLink('alfred://run/431')).toEqual({ screen: 'run', runId: 431 })
    expect(parseDeepLink('alfred://mailbox/12')).toEqual({ ...homeView, mailboxId: 12 })
    expect(parseDeepLink('alfred://mailbox/12/run/427')).toEqual({ ...homeView, mailboxId: 12, runId: 427 })
    expect(parseDeepLink('alfred://home/needs-you')).toEqual({ ...homeView, filter: 'needs-you' })
    expect(parseDeepLink('alfred://run/431/chat')).toEqual({ chatOf: 431 })
    expect(parseDeepLink('alfred://notifications')).toEqual({ isNotifications: true })
    expect(parseDeepLink('alfred://settings')).toMatchObject({ screen: 'settings', key: null })
    expect(parseDeepLink('alfred://settings/project/3/day-budget-usd')).toEqual({
      screen: 'settings',
      scope: 'project',
      scopeId: 3,
      key: 'DAY_BUDGET_USD',
    })
    expect(parseDeepLink('alfred://settings/app/0/day-budget-usd')).toMatchObject({
      scope: 'app',
      scopeId: 0,
    })
  })

  it('takes nothing else', () => {
    const links = [
      'alfred://run/0',
      'alfred://run/-1',
      'alfred://run/1e9',
      'alfred://run/',
      'alfred://run/431?x=1',
      'alfred://run/431/terminal',
      'alfred://run/431/chat/now',
      'alfred://mailbox/12/run/x',
      'alfred://mailbox/12/issue/4',
      'alfred://mailbox/12/run/4/chat',
      'alfred://home/done/1',
      'alfred://agents/all',
      'alfred://notifications/1',
      'alfred://settings/project/3/day-budget-usd/9',
      'alfred://odd',
      'alfred://home/everything',
      'alfred://mailbox/x',
      'alfred://settings/project',
      'alfred://settings/project/3/day-budget',
      'alfred://settings/everywhere/3/day-budget-usd',
      'alfred://settings/project/x/day-budget-usd',
      'alfred://../../etc/passwd',
      'https://example.org/run/431',
      'javascript:alert(1)',
      '',
    ]
    expect(links.map(parseDeepLink)).toEqual(links.map(() => null))
  })

  it('reads back what it writes', () => {
    for (const link of [
      'alfred://run/431',
      'alfred://mailbox/12',
      'alfred://mailbox/12/run/427',
      'alfred://home/done',
      'alfred://agents',
    ]) {
      const view = parseDeepLink(link)
      expect(view && 'screen' in view && deepLinkOf(view)).toBe(link)
    }
  })
})
