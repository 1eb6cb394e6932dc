import type { EngineStatus } from '@shared/contract/app'
import { formatTime } from '@shared/format/times'

type Silence = NonNullable<EngineStatus['silence']>

/** Why messages wait in the notification centre. */
export const silenceWords = (silence: Silence, now = Date.now()): string =>
  silence.reason === 'no_service'
    ? 'The system shows no notifications right now, so they wait here.'
    : `Quiet until ${formatTime(silence.until, { now })}: notifications wait here.`

/** What the bell is called. */
export function bellName(unread: number, silence: Silence | null): string {
  const name = unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'
  return silence === null ? name : `${name}. They wait here`
}
