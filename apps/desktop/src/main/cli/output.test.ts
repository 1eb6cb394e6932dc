import { describe, expect, it } from 'vitest'
import { createOutput, table, toProgramRow } from './output'

describe('what alfred prints', () => {
  it('keeps columns together, whatever is in the cells', () => {
    expect(
      table(
        ['id', 'title'],
        [
          ['1', 'a\nb'],
          ['12', 'c'],
        ],
      ),
    ).toBe('id  title\n1   a b\n12  c')
  })

  it('lets no control sequence reach the terminal', () => {
    const seen: string[] = []
    createOutput(
      (text) => seen.push(text),
      () => undefined,
    ).line('a\u001b[2Jb\u202e')
    expect(seen).toEqual(['a\ufffd[2Jb\ufffd\n'])
  })

  it('writes the rows within a row for programs too', () => {
    const seen: string[] = []
    createOutput(
      (text) => seen.push(text),
      () => undefined,
    ).json([
      {
        isOpen: true,
        closesIid: null,
        commentList: [{ createdAt: 0, author: { isYou: false } }],
        labelEvents: [{ at: 1 }],
      },
    ])
    expect(JSON.parse(seen.join(''))).toEqual([
      {
        is_open: true,
        closes_iid: null,
        comment_list: [{ created_at: '1970-01-01T00:00:00.000Z', author: { is_you: false } }],
        label_events: [{ at: '1970-01-01T00:00:00.001Z' }],
      },
    ])
  })

  it('writes rows for programs: snake case, ISO times, null for unknown', () => {
    expect(
      toProgramRow({ nativeSessionId: 'x', resumed: true, costUsd: null, createdAt: 0, endedAt: null }),
    ).toEqual({
      native_session_id: 'x',
      resumed: true,
      cost_usd: null,
      created_at: '1970-01-01T00:00:00.000Z',
      ended_at: null,
    })
  })
})
