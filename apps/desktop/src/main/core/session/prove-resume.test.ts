import { describe, expect, test } from 'vitest'
import { fallbackAfter, nativeIdAfterRun, proveResume, setAsideAfter, startProof } from './prove-resume'

const PATTERN = /^[a-z]+-\d+$/
const resumed = { asked: 'ses-1', isOwn: false, isOff: false, isByGrowth: false, pattern: PATTERN }
const fresh = { ...resumed, asked: null }

const feed = (asked: Parameters<typeof startProof>[0], ids: readonly string[]) => {
  let state = startProof(asked)
  return ids.map((nativeId) => {
    const step = proveResume(state, { nativeId })
    state = step.state
    return { patch: step.patch, proof: step.proof, stop: step.stop }
  })
}
const nothingNew = { patch: {}, proof: null, stop: null }

describe('proveResume', () => {
  test('proves a resume by the first id, and only by that', () => {
    expect(feed(resumed, ['ses-1', 'ses-2'])).toEqual([
      { patch: { nativeSessionId: 'ses-1', resumed: true }, proof: 'resumed', stop: null },
      nothingNew,
    ])
  })

  test('leaves the row of a session that its own attempt began as it tells the beginning', () => {
    expect(feed({ ...resumed, isOwn: true }, ['ses-1'])).toEqual([
      { patch: { nativeSessionId: 'ses-1' }, proof: 'resumed', stop: null },
    ])
  })

  test('proves nothing by the id of a CLI that tells it at its end, and stops it all the same for another one', () => {
    const last = { ...resumed, isByGrowth: true }
    expect(feed(last, ['ses-1'])).toEqual([
      { patch: { nativeSessionId: 'ses-1' }, proof: 'named', stop: null },
    ])
    expect(feed(last, ['ses-2'])).toEqual([{ patch: {}, proof: 'other_id', stop: 'state_missing' }])
    expect(feed({ ...last, asked: null }, ['ses-9'])).toMatchObject([{ proof: 'fresh' }])
  })

  test('stops a CLI that works in another thread than the one asked for', () => {
    expect(feed(resumed, ['ses-2', 'ses-1'])).toEqual([
      { patch: {}, proof: 'other_id', stop: 'state_missing' },
      nothingNew,
    ])
  })

  test('stores the id of a fresh start as the CLI reported it, chosen or not', () => {
    expect(feed(fresh, ['ses-9'])[0]).toEqual({
      patch: { nativeSessionId: 'ses-9' },
      proof: 'fresh',
      stop: null,
    })
    expect(feed(fresh, ['ses-7'])[0]).toEqual({
      patch: { nativeSessionId: 'ses-7' },
      proof: 'fresh',
      stop: null,
    })
  })

  test('takes no notice of ids that are none, and waits for a real one', () => {
    expect(feed(fresh, ['--help', '', 'ses-1\n', 'SES', 'ses-4'])).toEqual([
      nothingNew,
      nothingNew,
      nothingNew,
      nothingNew,
      { patch: { nativeSessionId: 'ses-4' }, proof: 'fresh', stop: null },
    ])
  })

  test('records nothing where sessions do not apply', () => {
    expect(feed({ ...fresh, isOff: true }, ['ses-1'])).toEqual([nothingNew])
  })
})

describe('fallbackAfter', () => {
  const base = { asked: 'ses-1', end: 'by_itself', failure: 'refused', remainingMs: 1000 } as const
  const patch = {
    mode: 'resume',
    requestedSessionId: 'ses-1',
    resumed: false,
    resumeFallback: 'refused',
    nativeSessionId: null,
  }

  test('starts once more, fresh, after a failure that the adapter recognises', () => {
    expect(fallbackAfter(base)).toEqual({ type: 'fallback', reason: 'refused', patch })
  })

  test('records the reason but starts nothing when no time is left', () => {
    expect(fallbackAfter({ ...base, remainingMs: 0 })).toEqual({ type: 'no_time', reason: 'refused', patch })
  })

  test('calls another thread than the one asked for state_missing, whatever the classifier says', () => {
    expect(fallbackAfter({ ...base, end: 'proof_failed', failure: null })).toMatchObject({
      type: 'fallback',
      reason: 'state_missing',
    })
  })

  test.each([
    ['an ambiguous failure', { failure: null }],
    ['a fresh start', { asked: null }],
    ['a stop by a person', { end: 'stopped' as const }],
    ['the time limit', { end: 'timed_out' as const }],
    ['too little memory', { end: 'out_of_memory' as const }],
    ['an interruption', { end: 'interrupted' as const }],
  ])('leaves %s to its own outcome', (_name, change) => {
    expect(fallbackAfter({ ...base, ...change })).toEqual({ type: 'outcome' })
  })
})

describe('nativeIdAfterRun', () => {
  test('takes the chosen id only when its state exists, and the reported one before all', () => {
    expect(nativeIdAfterRun({ chosenId: 'ses-9', seen: null, stateExists: true })).toBe('ses-9')
    expect(nativeIdAfterRun({ chosenId: 'ses-9', seen: null, stateExists: false })).toBeNull()
    expect(nativeIdAfterRun({ chosenId: 'ses-9', seen: 'ses-7', stateExists: true })).toBe('ses-7')
  })
})

describe('setAsideAfter', () => {
  type Row = Parameters<typeof setAsideAfter>[0][number]
  const tried: Row = {
    requestedSessionId: 'ses-1',
    nativeSessionId: 'ses-5',
    resumed: false,
    resumeFallback: 'state_missing',
    mode: 'resume',
    idSetAside: false,
  }
  const ambiguous: Row = { ...tried, nativeSessionId: null, resumeFallback: null }
  const proven: Row = { ...tried, nativeSessionId: 'ses-1', resumed: true, resumeFallback: null }

  test.each([
    [
      'sets an id aside after two fallbacks, for the latest reason',
      [{ ...tried, resumeFallback: 'refused' }, tried],
      'refused',
    ],
    ['does not set it aside after one', [tried], null],
    ['does not count a failure that was ambiguous', [tried, ambiguous], null],
    ['looks past an ambiguous failure', [tried, ambiguous, tried], 'state_missing'],
    ['begins anew after a resume that worked', [tried, proven, tried], null],
    ['does not count rows that did not try it', [tried, { ...tried, idSetAside: true }], null],
    ['does not count other ids', [tried, { ...tried, requestedSessionId: 'ses-2' }], null],
    [
      'does not count rows whose reason is no failure',
      [tried, { ...tried, resumeFallback: 'adapter_changed' }],
      null,
    ],
  ] as const satisfies readonly (readonly [string, readonly Row[], string | null])[])(
    '%s',
    (_name, rows, reason) => {
      expect(setAsideAfter(rows, 'ses-1')).toBe(reason)
    },
  )
})
