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

/** What agents did so far; a walk over the disk, so it is not asked again at each word of a run. */
const ofAgents = oneOf('app.agentHistory')
const lists = oneOf('mailboxes.list', 'mailboxes.counts', 'mailboxes.projects')

/** Whether what an event reports may have changed the answer of a held query. Asks too much rather than too little. */
export function isStaleBy(event: ChangeEvent, held: HeldQuery): boolean {
  switch (event.type) {
    case 'mailbox':
      return lists(held) || held.input['mailboxId'] === event.mailboxId || ofAgents(held)
    case 'run':
      return (
        lists(held) ||
        held.input['mailboxId'] === event.mailboxId ||
        (held.input['runId'] === event.runId && oneOf('runs.get', 'runs.diff', 'runs.prompt')(held))
      )
    case 'issue':
      return lists(held) || ofDomain('tracker')(held) || ofDomain('issues')(held)
    case 'projects':
      return (
        lists(held) ||
        ofDomain('tracker')(held) ||
        oneOf('settings.scopes', 'forges.list', 'app.agents', 'app.agentImages', 'app.standIn')(held)
      )
    case 'settings':
      return (
        ofDomain('settings')(held) ||
        oneOf('mailboxes.get', 'app.agents', 'app.agentImages', 'app.info', 'app.standIn')(held)
      )
    case 'agents':
      return oneOf('app.agents', 'app.agentImages', 'app.doctor', 'app.standIn', 'mailboxes.get')(held)
    case 'notifications':
      return oneOf('app.notifications')(held)
  }
}
