import { beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId, RunId } from '@shared/model/ids'
import { goBack, openHome, openView, replaceView, replaceViewFrom, useNavigation } from './store'
import { homeView } from './view'

const mailbox = (id: number) => id as MailboxId
const runView = (id: number) => ({ screen: 'run', runId: id as RunId }) as const
const shown = () => useNavigation.getState().view

describe('navigation', () => {
  beforeEach(() => useNavigation.setState({ view: homeView, history: [], cameBackFrom: null }))

  it('goes back to where it came from', () => {
    replaceView({ ...homeView, mailboxId: mailbox(12) })
    openView(runView(431))
    goBack()
    expect(shown()).toEqual({ ...homeView, mailboxId: 12 })
    expect(useNavigation.getState().cameBackFrom).toEqual(runView(431))
    openView({ screen: 'agents' })
    expect(useNavigation.getState().cameBackFrom).toBeNull()
  })

  it('leads nobody on who has gone elsewhere meanwhile', () => {
    const opening = {
      screen: 'terminal',
      mailboxId: 1 as MailboxId,
      runId: 2 as RunId,
      isOpen: false,
    } as const
    const open = { ...opening, runId: 3 as RunId, isOpen: true } as const
    openView(opening)
    expect(replaceViewFrom({ ...opening }, open)).toBe(true)
    expect(useNavigation.getState().view).toEqual(open)
    goBack()
    expect(replaceViewFrom(opening, open)).toBe(false)
    expect(useNavigation.getState().view).toEqual(homeView)
  })

  it('counts going to the same place as no step', () => {
    openView(runView(431))
    openView(runView(431))
    goBack()
    expect(shown()).toEqual(homeView)
  })

  it('goes home from a place that a link opened first', () => {
    useNavigation.setState({ view: runView(431), history: [], cameBackFrom: null })
    goBack()
    expect(shown()).toEqual(homeView)
  })

  it('keeps filter and mailbox when home is opened again, but not the row of an old link', () => {
    replaceView({ ...homeView, filter: 'blocked', mailboxId: mailbox(3), runId: 9 as RunId })
    openView({ screen: 'agents' })
    openHome()
    expect(shown()).toEqual({ ...homeView, filter: 'blocked', mailboxId: 3, runId: null })
  })
})
