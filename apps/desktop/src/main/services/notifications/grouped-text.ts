import { counted } from '@shared/format'
import type { NotificationKind, NotificationMessage } from '../../ports/notifications'
import type { NotificationText } from './notification-texts'

export type GroupedMessage = Pick<NotificationMessage, 'kind' | 'mailboxId'>

/** Several messages as one: how many of each, and how many lost their memory. */
export function groupedText(messages: readonly GroupedMessage[]): NotificationText {
  const told = withoutTwice(messages)
  const count = (...wanted: readonly NotificationKind[]): number =>
    told.filter(({ kind }) => wanted.includes(kind)).length
  const needYou = count('needs-you')
  const parts = [
    [count(...done), 'done'],
    [needYou, needYou === 1 ? 'needs you' : 'need you'],
    [count('blocked'), 'blocked'],
    [count('interrupted'), 'interrupted'],
    [count('login-expiring'), 'about a login'],
    [count('budget'), 'about the budget'],
  ] as const
  const lost = messages.filter(({ kind }) => kind === 'run-finished-fallback').length
  const sums = parts.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`)
  return {
    kind: 'grouped',
    title: titleOf(told),
    body: `${sums.join(' · ')}.${lost > 0 ? ` ${inWords(lost)} of them lost ${lost === 1 ? 'its' : 'their'} memory.` : ''}`,
  }
}

const done: readonly NotificationKind[] = ['run-finished', 'run-finished-fallback']
const endsOfRuns: readonly NotificationKind[] = [...done, 'needs-you', 'blocked']

function titleOf(told: readonly GroupedMessage[]): string {
  const areRuns = told.every(({ kind }) => endsOfRuns.includes(kind))
  return `${areRuns ? `${counted(told.length, 'run')} ended` : `${counted(told.length, 'thing')} happened`} while you were away`
}

/** A run that is done and leaves something to a person is told twice, and counts as what it waits for. */
function withoutTwice(messages: readonly GroupedMessage[]): readonly GroupedMessage[] {
  const twice = new Set<GroupedMessage>()
  for (const { kind, mailboxId } of messages) {
    if (kind !== 'needs-you' || mailboxId === null) continue
    const itsRun = messages.find(
      (other) => done.includes(other.kind) && other.mailboxId === mailboxId && !twice.has(other),
    )
    if (itsRun !== undefined) twice.add(itsRun)
  }
  return messages.filter((message) => !twice.has(message))
}

const small = ['None', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'] as const
const inWords = (n: number): string => small[n] ?? String(n)
