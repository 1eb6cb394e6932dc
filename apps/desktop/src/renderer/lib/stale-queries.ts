import type { ChangeEvent } from '@shared/contract/app'

/** A query that is held: its channel and what it was asked with. */
export interface HeldQuery {
  readonly channel: string
  readonly input: Readonly<Record<string, unknown>>
}

const ofDomain = (domain: string) => (held: HeldQuery) => held.channel.startsWith(`${domain}.`)
const oneOf =
  (...channels: readonly string[]) =>
  (held: HeldQuery) =>
    channels.includes(held.channel)

const lists = oneOf('mailboxes.list', 'mailboxes.counts', 'mailboxes.projects')

/** Whether what an event reports may have changed the answer of a held query. Asks too much rather than too little. */
export function isStaleBy(event: ChangeEvent, held: HeldQuery): boolean {
  switch (event.type) {
    case 'mailbox':
      return lists(held) || held.input['mailboxId'] === event.mailboxId
    case 'run':
      return (
        lists(held) ||
        held.input['mailboxId'] === event.mailboxId ||
        (held.input['runId'] === event.runId && oneOf('runs.get', 'runs.diff', 'runs.prompt')(held))
      )
    case 'issue':
      return lists(held) || ofDomain('tracker')(held) || ofDomain('issues')(held)
    case 'projects':
      return lists(held) || ofDomain('tracker')(held) || oneOf('settings.scopes', 'forges.list')(held)
    case 'settings':
      return ofDomain('settings')(held) || oneOf('mailboxes.get', 'app.agents', 'app.info')(held)
    case 'agents':
      return oneOf('app.agents', 'app.doctor', 'mailboxes.get')(held)
    case 'notifications':
      return oneOf('app.notifications')(held)
  }
}
