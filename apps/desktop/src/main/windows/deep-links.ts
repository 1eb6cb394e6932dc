import type { MailboxId, RunId } from '@shared/model/ids'

/*
 * `alfred://run/431` and its kin. The window parses them again; here is only what may reach it at all.
 */

export const linkScheme = 'alfred'

const knownLinks = [
  /^alfred:\/\/(?:run|mailbox)\/[1-9]\d{0,14}$/,
  /^alfred:\/\/(?:home|needs-you|agents|settings|diagnostics|notifications)$/,
]

/** The link in its plain form, or null when it is none of ours. */
export function acceptLink(text: string): string | null {
  const plain = text.replace(/\/$/, '')
  return knownLinks.some((known) => known.test(plain)) ? plain : null
}

/** The link among a program's arguments: a second start by the desktop has it as its last one. */
export function linkInArguments(argv: readonly string[]): string | null {
  for (const argument of argv) {
    const link = acceptLink(argument)
    if (link !== null) return link
  }
  return null
}

/** Where a message leads: to its run, else to its mailbox, else to the list of messages. */
export function linkTo(target: { readonly runId: RunId | null; readonly mailboxId: MailboxId | null }): string {
  if (target.runId !== null) return `${linkScheme}://run/${target.runId}`
  if (target.mailboxId !== null) return `${linkScheme}://mailbox/${target.mailboxId}`
  return `${linkScheme}://notifications`
}
