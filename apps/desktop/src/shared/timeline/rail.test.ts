import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SessionBadge } from '../contract/sessions'
import type { RunId } from '../model/ids'
import { memoryKey, memoryLetter, threadColor } from './memory-letters'
import { railOf, type RailRow, type RailSlice } from './rail'
import { isLoss } from './session-badge'

const row = (
  runId: number,
  badge: SessionBadge,
  id: string | null,
  asked: string | null = null,
): RailRow => ({
  runId: runId as RunId,
  adapter: 'demo',
  nativeSessionId: id,
  requestedSessionId: asked,
  badge,
})

/** The edge of a mailbox with these rows, as the store's aggregate gives it. */
function edgeOf(rows: readonly RailRow[]) {
  const memories = new Map<string, { key: string; firstRunId: RunId; lastRunId: RunId }>()
  for (const { adapter, nativeSessionId, runId } of rows) {
    if (nativeSessionId === null) continue
    const key = memoryKey(adapter, nativeSessionId)
    memories.set(key, { key, firstRunId: memories.get(key)?.firstRunId ?? runId, lastRunId: runId })
  }
  return { memories: [...memories.values()] }
}

/** `lane letter up/down`, with the lanes that pass by and the cut: `0A│ ` reads as node A on lane 0. */
const draw = (slice: RailSlice): string =>
  [
    slice.cut === null ? '' : `cut ${slice.cut.lane}${slice.cut.letter ?? '?'} `,
    slice.lane === null ? '-' : `${slice.lane}${slice.letter ?? '?'}`,
    ` ${slice.up ?? '-'}/${slice.down ?? '-'}`,
    slice.through.map(({ lane, letter, more }) => ` |${lane}${letter}${more > 0 ? `+${more}` : ''}`).join(''),
  ].join('')

const drawn = (rows: readonly RailRow[]): readonly string[] => railOf(rows, edgeOf(rows)).slices.map(draw)

describe('letters', () => {
  test('go from A to Z and begin again with a number', () => {
    expect([0, 1, 25, 26, 27, 52].map(memoryLetter)).toEqual(['A', 'B', 'Z', 'A2', 'B2', 'A3'])
    expect([0, 4, 5].map(threadColor)).toEqual(['a', 'e', 'a'])
  })
})

describe('railOf', () => {
  test('joins rows of one memory when the later one is proven', () => {
    expect(
      drawn([row(1, 'no_prior_session', 'x'), row(2, 'resumed', 'x', 'x'), row(3, 'unproven', null, 'x')]),
    ).toEqual(['0A -/solid', '0A solid/-', '0? -/-'])
  })

  test('joins a resume that is not proven yet with a dashed line', () => {
    expect(drawn([row(1, 'no_prior_session', 'x'), row(2, 'pending', null, 'x')])).toEqual([
      '0A -/dashed',
      '0A dashed/-',
    ])
  })

  test('cuts the lane at a fallback, and what begins there takes it over', () => {
    expect(
      drawn([
        row(1, 'no_prior_session', 'x'),
        row(2, 'state_missing', 'y', 'x'),
        row(3, 'resumed', 'y', 'y'),
      ]),
    ).toEqual(['0A -/solid', 'cut 0A 0B -/solid', '0B solid/-'])
  })

  test('passes by other memories only if it goes on below', () => {
    expect(
      drawn([
        row(1, 'no_prior_session', 'x'),
        row(2, 'chosen_fresh', 'y'),
        row(3, 'resumed', 'x', 'x'),
        row(4, 'chosen_fresh', 'z'),
      ]),
    ).toEqual(['0A -/solid', '1B -/- |0A', '0A solid/-', '0C -/-'])
  })

  test('draws a fallback of a memory that it does not know with an unnamed cut', () => {
    expect(drawn([row(1, 'refused', 'y', 'gone')])).toEqual(['cut 0? 0A -/-'])
  })

  test('gives rows without a session no node, and lets lines pass', () => {
    expect(
      drawn([row(1, 'no_prior_session', 'x'), row(2, 'none', null), row(3, 'resumed', 'x', 'x')]),
    ).toEqual(['0A -/solid', '- -/- |0A', '0A solid/-'])
  })

  test('draws at most two lanes and counts the others', () => {
    const starts = ['x', 'y', 'z'].map((id, at) =>
      row(at + 1, at === 0 ? 'no_prior_session' : 'chosen_fresh', id),
    )
    const ends = ['x', 'y', 'z'].map((id, at) => row(at + 5, 'resumed', id, id))
    expect(drawn([...starts, row(4, 'none', null), ...ends])[3]).toBe('- -/- |0A |1B+1')
  })

  test('goes on over the edge of a page, with the letters of the whole mailbox', () => {
    const all = [
      row(1, 'no_prior_session', 'x'),
      row(2, 'state_missing', 'y', 'x'),
      row(3, 'resumed', 'y', 'y'),
      row(4, 'resumed', 'y', 'y'),
    ]
    const page = railOf(all.slice(2, 3), edgeOf(all))
    expect(page.slices.map(draw)).toEqual(['0B solid/solid'])
    expect(page.top).toMatchObject([{ lane: 0, letter: 'B' }])
  })

  const sequence = fc
    .array(
      fc.record({
        kind: fc.constantFrom('fresh', 'resume', 'lose', 'none', 'unproven', 'pending'),
        pick: fc.nat(20),
      }),
      { maxLength: 30 },
    )
    .map((steps) => {
      const ids: string[] = []
      return steps.map(({ kind, pick }, at) => {
        const known = ids[pick % Math.max(1, ids.length)] ?? null
        const newId = `id${at}`
        const runId = at + 1
        if (kind === 'none') return row(runId, 'none', null)
        if (known === null || kind === 'fresh') {
          ids.push(newId)
          return row(runId, known === null ? 'no_prior_session' : 'chosen_fresh', newId)
        }
        if (kind === 'resume') return row(runId, 'resumed', known, known)
        if (kind === 'unproven') return row(runId, 'unproven', null, known)
        if (kind === 'pending')
          return row(runId, at === steps.length - 1 ? 'pending' : 'unproven', null, known)
        ids.push(newId)
        return row(runId, 'state_missing', newId, known)
      })
    })

  const lanesBelow = (slice: RailSlice): readonly number[] =>
    [...slice.through.map(({ lane }) => lane), ...(slice.down === null ? [] : [slice.lane ?? -1])].toSorted(
      (a, b) => a - b,
    )
  const lanesAbove = (slice: RailSlice): readonly number[] =>
    [...slice.through.map(({ lane }) => lane), ...(slice.up === null ? [] : [slice.lane ?? -1])].toSorted(
      (a, b) => a - b,
    )

  test('never leaves a line hanging between two rows, and never draws more than two lanes', () => {
    fc.assert(
      fc.property(sequence, (rows) => {
        const { slices } = railOf(rows, edgeOf(rows))
        expect(slices).toHaveLength(rows.length)
        slices.forEach((slice, at) => {
          const lanes = [slice.lane ?? 0, slice.cut?.lane ?? 0, ...slice.through.map(({ lane }) => lane)]
          expect(Math.max(...lanes)).toBeLessThanOrEqual(1)
          expect(slice.cut !== null).toBe(isLoss(rows[at]?.badge ?? 'none'))
          const next = slices[at + 1]
          const below = new Set(lanesBelow(slice))
          const above = new Set([
            ...(next === undefined ? [] : lanesAbove(next)),
            ...(next?.cut ? [next.cut.lane] : []),
          ])
          expect([...below].filter((lane) => !above.has(lane))).toEqual([])
          if (next !== undefined) expect(lanesAbove(next).filter((lane) => !below.has(lane))).toEqual([])
        })
      }),
      { numRuns: 500 },
    )
  })

  test('draws the rows of a page as they are in the whole, as far as lines go by the edge', () => {
    fc.assert(
      fc.property(sequence, fc.nat(30), (rows, cutAt) => {
        // Lines of memories that only fallbacks and unproven rows of other pages tell of may differ: leave those out.
        const plain = rows.filter(
          ({ badge }) =>
            badge === 'resumed' ||
            badge === 'chosen_fresh' ||
            badge === 'no_prior_session' ||
            badge === 'none',
        )
        const at = Math.min(cutAt, plain.length)
        const edge = edgeOf(plain)
        const whole = railOf(plain, edge).slices
        expect(railOf(plain.slice(at), edge).slices).toEqual(whole.slice(at))
      }),
      { numRuns: 300 },
    )
  })
})
