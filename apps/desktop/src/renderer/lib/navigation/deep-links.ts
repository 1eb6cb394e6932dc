import type { MailboxFilter } from '@shared/model/words'
import type { MailboxId, RunId } from '@shared/model/ids'
import { settingAddressSchema } from '@shared/model/settings'
import { homeView, settingsView, type View } from './view'

/*
 * `alfred://run/431`, `alfred://run/431/chat`, `alfred://mailbox/12`, `alfred://mailbox/12/run/427`,
 * `alfred://home/needs-you`, `alfred://agents`, `alfred://forges`, `alfred://notifications`, `alfred://settings`,
 * `alfred://settings/project/3/run-budget-usd`, `alfred://diagnostics`. Links come from outside: nothing in them is
 * trusted.
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

/** What a link can ask for besides a view: the chat of a run, which is opened first, or the list of notifications. */
export type LinkPlace = View | { readonly chatOf: RunId } | { readonly isNotifications: true }

/** The place that a link names; null if it is none of ours, or says more than it may. */
export function parseDeepLink(link: string): LinkPlace | null {
  const parts = /^alfred:\/\/([a-z0-9/-]{1,200})$/i.exec(link)?.[1]?.split('/').filter(Boolean)
  return parts ? placeOf(parts) : null
}

function placeOf([place, ...rest]: readonly string[]): LinkPlace | null {
  const [first, second, third] = rest
  switch (place) {
    case 'run':
      return rest.length > 2 ? null : runOf(first, second)
    case 'mailbox':
      return rest.length > 3 ? null : mailboxOf(first, second, third)
    case 'home': {
      const filter = first ?? 'all-open'
      return isFilter(filter) && rest.length < 2 ? { ...homeView, filter } : null
    }
    case 'agents':
    case 'forges':
    case 'diagnostics':
      return rest.length > 0 ? null : { screen: place }
    case 'notifications':
      return rest.length > 0 ? null : { isNotifications: true }
    case 'settings':
      if (rest.length > 3) return null
      return first === undefined ? settingsView : settingOf(first, second, third)
    default:
      return null
  }
}

function runOf(id: string | undefined, inner: string | undefined): LinkPlace | null {
  const runId = rowId<RunId>(id)
  if (runId === null) return null
  if (inner === undefined) return { screen: 'run', runId }
  return inner === 'chat' ? { chatOf: runId } : null
}

function mailboxOf(id: string | undefined, inner: string | undefined, run: string | undefined): View | null {
  const mailboxId = rowId<MailboxId>(id)
  if (mailboxId === null) return null
  if (inner === undefined) return { ...homeView, mailboxId }
  const runId = inner === 'run' ? rowId<RunId>(run) : null
  return runId === null ? null : { ...homeView, mailboxId, runId }
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
    case 'terminal':
    case 'first-start':
    case 'tracker':
      return null
  }
}
