import { homeView, settingsView, viewSchema, type View } from './view'

/*
 * `alfred://run/431`, `alfred://mailbox/12`, `alfred://mailbox/12/run/427`, `alfred://home/needs-you`,
 * `alfred://agents`, `alfred://settings`, `alfred://diagnostics`. Links come from outside: nothing in them is trusted.
 */

const id = (text: string | undefined): number | null =>
  text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null

/** The view that a link names; null if it is none of ours. */
export function parseDeepLink(link: string): View | null {
  const parts = /^alfred:\/\/([a-z0-9/-]{1,200})$/i.exec(link)?.[1]?.split('/').filter(Boolean)
  if (!parts) return null
  const parsed = viewSchema.safeParse(viewOf(parts))
  return parsed.success ? parsed.data : null
}

function viewOf([place, first, inner, second]: readonly string[]): unknown {
  switch (place) {
    case 'run':
      return { screen: 'run', runId: id(first) }
    case 'mailbox': {
      if (id(first) === null) return null
      return { ...homeView, mailboxId: id(first), runId: inner === 'run' ? id(second) : null }
    }
    case 'home':
      return { ...homeView, filter: first ?? 'all-open' }
    case 'agents':
    case 'diagnostics':
      return { screen: place }
    case 'settings':
      return settingsView
    default:
      return null
  }
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
    case 'settings':
    case 'diagnostics':
      return `alfred://${view.screen}`
    case 'first-start':
    case 'tracker':
      return null
  }
}
