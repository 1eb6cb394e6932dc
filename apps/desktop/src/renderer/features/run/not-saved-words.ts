import type { SessionMemory, TimelineRow } from '@shared/contract/sessions'
import { formatAge, formatBytes } from '@shared/format'
import { stateGrowth } from '@shared/timeline/state-growth'

export interface NotSavedWords {
  readonly title: string
  readonly text: string
}

const meaning = 'The next run will not know about this one. Often the state folder is not writable.'

/** What is said of a run that left nothing in the state of its session; null: it did, or nobody knows. */
export function notSavedWords(row: TimelineRow): NotSavedWords | null {
  if (!stateGrowth(row).isNotSaved) return null
  if (!row.resumed) return { title: 'Nothing of this session was saved.', text: meaning }
  const before = formatBytes(row.stateBytesBefore)
  return {
    title: 'The agent remembered, but its state did not grow',
    text: `(${before} before, ${formatBytes(row.stateBytesAfter)} after). ${meaning}`,
  }
}

/** What a look at the state of the session finds now. */
export function foundState({ folder, file, state, bytes, savedAt }: SessionMemory, now: number): string {
  const place = [folder, file].filter((part) => part !== null).join('/')
  const saved = savedAt === null ? '' : `, saved ${formatAge(Math.max(0, now - savedAt))} ago`
  switch (state) {
    case 'ok':
      return `${place} can be read: ${formatBytes(bytes)}${saved}.`
    case 'missing':
      return `${place} is not there.`
    case 'empty':
      return `${place} is empty.`
    case 'unreadable':
      return `${place} is there, but cannot be read.`
    case 'removed':
      return 'It was removed at cleanup.'
    case 'none':
      return 'The agent reported no session id, so there is nothing to look at.'
  }
}
