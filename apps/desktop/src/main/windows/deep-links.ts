import type { MailboxId, RunId } from '@shared/model/ids'

/*
 * `alfred://run/431` and its kin. The window parses them again; here is only what may reach it at all.
 */

const linkScheme = 'alfred'

/** Only its letters are looked at here: which views there are is the window's to know. */
const plainLink = /^alfred:\/\/[a-z0-9][a-z0-9/-]{0,199}$/i

/** The link in its plain form, or null when it is none of ours. */
export function acceptLink(text: string): string | null {
  const plain = text.replace(/\/$/, '')
  return plainLink.test(plain) ? plain : null
}

/** The link among a program's arguments: a second start by the desktop has it as its last one. */
export function linkInArguments(argv: readonly string[]): string | null {
  for (const argument of argv) {
    const link = acceptLink(argument)
    if (link !== null) return link
  }
  return null
}

/** Where a message leads: to its run, else to its mailbox, else to the list. */
export function linkTo(target: {
  readonly runId: RunId | null
  readonly mailboxId: MailboxId | null
}): string {
  if (target.runId !== null) return `${linkScheme}://run/${target.runId}`
  if (target.mailboxId !== null) return `${linkScheme}://mailbox/${target.mailboxId}`
  return `${linkScheme}://home`
}
