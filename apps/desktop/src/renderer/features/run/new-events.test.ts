import { expect, it } from 'vitest'
import { createNewEvents } from './new-events'
import type { ToolRow, TranscriptRow } from '../../lib/transcript/transcript-rows'

const words = (seq: number, text: string): TranscriptRow => ({ kind: 'text', seq, at: seq, text })
const tool = (seq: number, result: ToolRow['result']): TranscriptRow => ({
  kind: 'tool',
  seq,
  at: 0,
  name: 'Bash',
  summary: 'npm test',
  input: '',
  result,
})

it('reads each event once', () => {
  const events = createNewEvents()
  const rows = [words(1, 'I look around.'), words(2, 'There it is')]
  expect(events.read(rows)).toBe('Agent: I look around. Agent: There it is')
  expect(events.read(rows)).toBe('No new events')
  expect(events.read([...rows, words(3, 'Done.')])).toBe('Agent: Done')
})

it('reads a tool again once it has its result', () => {
  const events = createNewEvents()
  expect(events.read([tool(1, null)])).toBe('Bash npm test, running')
  const ended = tool(1, { output: 'a\nb', failed: true, at: 2_000 })
  expect(events.read([ended, words(2, 'Hm.')])).toBe('Bash npm test, failed, 2 lines · 2.0s. Agent: Hm')
  expect(events.read([ended, words(2, 'Hm.')])).toBe('No new events')
})

it('reads the last ten, and counts those before', () => {
  const events = createNewEvents()
  const rows = Array.from({ length: 12 }, (_, index) => words(index + 1, `${index + 1}`))
  expect(events.read(rows)).toMatch(/^2 events before these\. Agent: 3\. .*Agent: 12$/)
  // neither what was counted nor what is read from disk above it is new later
  expect(events.read([words(0, '0'), ...rows, words(13, '13')])).toBe('Agent: 13')
})

it('says that there is nothing where no event came yet, and misses none of the first', () => {
  const events = createNewEvents()
  expect(events.read([])).toBe('No new events')
  expect(events.read([words(1, 'Hello')])).toBe('Agent: Hello')
})
