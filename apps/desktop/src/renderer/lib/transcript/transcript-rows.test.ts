import { describe, expect, it } from 'vitest'
import type { TranscriptEvent } from '@shared/contract/runs'
import {
  append,
  countLines,
  emptyTranscript,
  follows,
  indexOfSeq,
  isError,
  prepend,
  type ToolRow,
} from './transcript-rows'

const event = (
  seq: number,
  kind: TranscriptEvent['kind'],
  payload: TranscriptEvent['payload'] = {},
): TranscriptEvent => ({
  seq,
  at: seq * 1_000,
  kind,
  payload,
})
const kinds = (transcript: { readonly rows: readonly { readonly kind: string }[] }): string[] =>
  transcript.rows.map((row) => row.kind)

describe('rows of a transcript', () => {
  it('are found by their number', () => {
    const { rows } = append(emptyTranscript, [
      event(2, 'text'),
      event(3, 'usage'),
      event(4, 'text'),
      event(9, 'text'),
    ])
    expect([2, 4, 9].map((seq) => indexOfSeq(rows, seq))).toEqual([0, 1, 2])
    expect([1, 3, 8, 10].map((seq) => indexOfSeq(rows, seq))).toEqual([null, null, null, null])
    expect(indexOfSeq([], 1)).toBeNull()
  })

  it('puts a tool and its result into one row, also when others come between', () => {
    const transcript = append(emptyTranscript, [
      event(1, 'tool', { name: 'Read', summary: 'a.ts', callId: 'x' }),
      event(2, 'tool', { name: 'Search', summary: 'b', callId: 'y' }),
      event(3, 'tool_result', { callId: 'x', output: 'one\ntwo' }),
      event(4, 'tool_result', { callId: 'y', output: '', failed: true }),
    ])
    expect(transcript.rows).toMatchObject([
      { kind: 'tool', name: 'Read', result: { output: 'one\ntwo', failed: false, at: 3_000 } },
      { kind: 'tool', name: 'Search', result: { failed: true } },
    ])
  })

  it('joins a result that comes in a later batch', () => {
    const first = append(emptyTranscript, [event(1, 'tool', { name: 'Shell', callId: 'x' })])
    const second = append(first, [event(2, 'tool_result', { callId: 'x', output: 'done' })])
    expect(second.rows).toHaveLength(1)
    expect((second.rows[0] as ToolRow).result?.output).toBe('done')
  })

  it('gives a result without an id to the last call that waits', () => {
    const transcript = append(emptyTranscript, [
      event(1, 'tool', { name: 'Read' }),
      event(2, 'tool_result', { output: 'text' }),
      event(3, 'tool_result', { output: 'of nobody' }),
    ])
    expect(transcript.rows).toMatchObject([{ name: 'Read', result: { output: 'text' } }, { name: 'Result' }])
  })

  it('joins raw output of one stream, and begins anew for the other', () => {
    const transcript = append(emptyTranscript, [
      event(1, 'output', { text: 'a', stream: 'stdout' }),
      event(2, 'output', { text: 'b', stream: 'stdout' }),
      event(3, 'output', { text: 'c', stream: 'stderr' }),
    ])
    expect(transcript.rows).toMatchObject([
      { text: 'a\nb', lineCount: 2 },
      { text: 'c', stream: 'stderr' },
    ])
  })

  it('shows no figures as rows', () => {
    expect(
      kinds(
        append(emptyTranscript, [event(1, 'usage', { inputTokens: 5 }), event(2, 'text', { text: 'hi' })]),
      ),
    ).toEqual(['text'])
  })

  it('passes over what it has already', () => {
    const first = append(emptyTranscript, [event(1, 'text', { text: 'a' }), event(2, 'text', { text: 'b' })])
    const again = append(first, [event(2, 'text', { text: 'b' }), event(3, 'text', { text: 'c' })])
    expect(again.rows.map((row) => row.seq)).toEqual([1, 2, 3])
    expect(append(again, [event(3, 'text', { text: 'c' })])).toBe(again)
  })

  it('sees a gap', () => {
    const transcript = append(emptyTranscript, [event(1, 'text')])
    expect(follows(transcript, [event(2, 'text')])).toBe(true)
    expect(follows(transcript, [event(4, 'text')])).toBe(false)
    expect(follows(emptyTranscript, [event(9, 'text')])).toBe(true)
  })

  it('adds older events in front', () => {
    const latest = append(emptyTranscript, [event(5, 'text', { text: 'e' })])
    const whole = prepend(latest, [event(3, 'text', { text: 'c' }), event(4, 'notice', { text: 'd' })])
    expect(whole).toMatchObject({ firstSeq: 3, lastSeq: 5 })
    expect(whole.rows.map((row) => row.seq)).toEqual([3, 4, 5])
  })

  it('knows what is an error', () => {
    const { rows } = append(emptyTranscript, [
      event(1, 'error', { text: 'x' }),
      event(2, 'result', { succeeded: false }),
      event(3, 'result', { succeeded: true }),
      event(4, 'warning', { text: 'y' }),
    ])
    expect(rows.map(isError)).toEqual([true, true, false, false])
  })

  it.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['\n', 1],
  ])('counts the lines of %j', (text, lines) => {
    expect(countLines(text)).toBe(lines)
  })
})
