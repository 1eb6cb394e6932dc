import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { RunDetail } from '@shared/contract/runs'
import type { SessionMemory, TimelineRow } from '@shared/contract/sessions'
import { NotSavedNotice } from './not-saved-notice'
import { foundState } from './not-saved-words'

const resumed = {
  runId: 388,
  sessionId: 7,
  mode: 'resume',
  resumed: true,
  nativeSessionId: 'a-1',
  stateBytesBefore: 188_000,
  stateBytesAfter: 188_000,
  endedAt: 5,
} as TimelineRow

/** The text that a person reads of it. */
function shown(change: Partial<TimelineRow>, onRetry: (() => void) | null = () => undefined): string {
  const detail = { row: { ...resumed, ...change }, mailboxIid: 94 } as RunDetail
  const html = renderToStaticMarkup(<NotSavedNotice detail={detail} onRetry={onRetry} retryReason={null} />)
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

describe('the notice of a run that saved nothing', () => {
  it('says both sizes, what it means for the next run, and what can be done', () =>
    expect(shown({})).toBe(
      'The agent remembered, but its state did not grow (188 kB before, 188 kB after). The next run will not know about this one. Often the state folder is not writable. Check the state folder Retry Copy details',
    ))

  it('claims no memory of a session that was new', () =>
    expect(shown({ resumed: false, mode: 'fresh', stateBytesBefore: null, stateBytesAfter: 0 })).toMatch(
      /^Nothing of this session was saved\. The next run will not know about this one\./,
    ))

  it('leaves the retry to what is said of a failure', () => expect(shown({}, null)).not.toContain('Retry'))

  it.each([
    ['is live', { endedAt: null }],
    ['grew', { stateBytesAfter: 190_000 }],
    ['is not known', { stateBytesAfter: null }],
    ['does not apply', { mode: 'none' as const }],
  ])('is not there where the state %s', (_name, change) => expect(shown(change)).toBe(''))
})

it('what a look at the state finds is said with its place', () => {
  const memory = { folder: '.agent-sessions/boat', file: 'a-1.jsonl', bytes: 188_000, savedAt: 0 }
  const said = (state: SessionMemory['state']): string =>
    foundState({ ...memory, state } as SessionMemory, 3 * 3_600_000)
  expect(said('ok')).toBe('.agent-sessions/boat/a-1.jsonl can be read: 188 kB, saved 3h 00m ago.')
  expect(said('missing')).toBe('.agent-sessions/boat/a-1.jsonl is not there.')
  expect(said('unreadable')).toBe('.agent-sessions/boat/a-1.jsonl is there, but cannot be read.')
})
