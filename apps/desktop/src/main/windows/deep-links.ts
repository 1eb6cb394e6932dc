import type { NotificationMessage } from '@main/ports/notifications'

/*
 * `alfred://run/431` and its kin. The window parses them again; here is only what may reach it at all.
 */

const linkScheme = 'alfred'

/** Only its letters are looked at here: which views there are is the window's to know. */
const plainLink = /^alfred:\/\/[a-z0-9][a-z0-9/-]{0,199}$/i

/** What the window gets instead of a link that holds more than letters of a link; it says that it was refused. */
export const oddLink = `${linkScheme}://odd`

const isMeantAsLink = (text: string): boolean => /^alfred:/i.test(text)

/** The link in its plain form, or null when it is none of ours. */
export function acceptLink(text: string): string | null {
  const plain = text.replace(/\/$/, '')
  return plainLink.test(plain) ? plain : null
}

/**
 * The link among a program's arguments: a second start by the desktop has it as its last one. One with odd letters
 * comes as `oddLink`, so that it is refused in words; null: there is none.
 */
export function linkInArguments(argv: readonly string[]): string | null {
  const meant = argv.filter(isMeantAsLink)
  const plain = meant.map(acceptLink).find((link) => link !== null)
  return plain ?? (meant.length === 0 ? null : oddLink)
}

/**
 * Where a message leads: to its run, to the row where a memory was lost, else to its mailbox, else to its setting, else
 * to what its kind is about.
 */
export function linkTo({
  runId,
  mailboxId,
  setting,
  kind,
}: Partial<Pick<NotificationMessage, 'runId' | 'mailboxId' | 'setting' | 'kind'>>): string {
  if (kind === 'run-finished-fallback' && typeof runId === 'number' && typeof mailboxId === 'number')
    return `${linkScheme}://mailbox/${mailboxId}/run/${runId}`
  if (typeof runId === 'number') return `${linkScheme}://run/${runId}`
  if (typeof mailboxId === 'number') return `${linkScheme}://mailbox/${mailboxId}`
  if (setting) {
    const { scope, scopeId, key } = setting
    return `${linkScheme}://settings/${scope}/${scopeId}/${key.replaceAll('_', '-').toLowerCase()}`
  }
  return `${linkScheme}://${kind === 'login-expiring' ? 'agents' : kind === 'grouped' ? 'notifications' : 'home'}`
}
