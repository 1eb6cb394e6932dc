import type { MailboxFilter } from '@shared/model/words'
import type { MailboxId, RunId } from '@shared/model/ids'
import { settingAddressSchema } from '@shared/model/settings'
import { homeView, settingsView, type View } from './view'

/*
 * `alfred://run/431`, `alfred://mailbox/12`, `alfred://mailbox/12/run/427`, `alfred://home/needs-you`,
 * `alfred://agents`, `alfred://forges`, `alfred://settings`, `alfred://settings/project/3/run-budget-usd`,
 * `alfred://diagnostics`. Links come from outside: nothing in them is trusted.
 */

/** A number that is none of ours finds nothing, and that is said. */
const rowId = <Id extends number>(text: string | undefined): Id | null =>
  text && /^[1-9]\d{0,14}$/.test(text) ? (Number(text) as Id) : null

const filters: Readonly<Record<MailboxFilter, true>> = {
  'all-open': true,
  'needs-you': true,
  running: true,
  'in-ci': true,
  'in-review': true,
  blocked: true,
  done: true,
}
const isFilter = (text: string): text is MailboxFilter => Object.hasOwn(filters, text)

/** The view that a link names; null if it is none of ours. */
export function parseDeepLink(link: string): View | null {
  const parts = /^alfred:\/\/([a-z0-9/-]{1,200})$/i.exec(link)?.[1]?.split('/').filter(Boolean)
  return parts ? viewOf(parts) : null
}

function viewOf([place, first, inner, second]: readonly string[]): View | null {
  switch (place) {
    case 'run': {
      const runId = rowId<RunId>(first)
      return runId === null ? null : { screen: 'run', runId }
    }
    case 'mailbox': {
      const mailboxId = rowId<MailboxId>(first)
      if (mailboxId === null) return null
      return { ...homeView, mailboxId, runId: inner === 'run' ? rowId<RunId>(second) : null }
    }
    case 'home': {
      const filter = first ?? 'all-open'
      return isFilter(filter) ? { ...homeView, filter } : null
    }
    case 'agents':
    case 'forges':
    case 'diagnostics':
      return { screen: place }
    case 'settings':
      return first === undefined ? settingsView : settingOf(first, inner, second)
    default:
      return null
  }
}

function settingOf(scope: string, scopeId: string | undefined, name: string | undefined): View | null {
  const key = name?.replaceAll('-', '_').toUpperCase()
  const address = settingAddressSchema.safeParse({
    scope,
    scopeId: scopeId === '0' ? 0 : rowId(scopeId),
    key,
  })
  return address.success ? { screen: 'settings', ...address.data } : null
}

/** The link of a view, for "Copy link"; null for places that only exist on this computer. */
export function deepLinkOf(view: View): string | null {
  switch (view.screen) {
    case 'run':
      return `alfred://run/${view.runId}`
    case 'home':
      if (view.mailboxId === null) return `alfred://home/${view.filter}`
      return `alfred://mailbox/${view.mailboxId}${view.runId === null ? '' : `/run/${view.runId}`}`
    case 'agents':
    case 'forges':
    case 'settings':
    case 'diagnostics':
      return `alfred://${view.screen}`
    case 'chat':
    case 'first-start':
    case 'tracker':
      return null
  }
}
