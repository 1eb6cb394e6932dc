import { expect, test } from 'vitest'
import type { MemoryBreak } from '@shared/timeline/memory-break'
import { breakReason, breakTitle } from './strings'

const gap: MemoryBreak = {
  letter: 'A',
  reason: 'state_missing',
  requestedId: '7c1e44d0-9f1a-4b2c-8d3e-aaaaaaaaaaaa',
  stateBytes: 1,
  ageMs: 1,
  costUsd: null,
  isNotTried: false,
  wasTried: false,
  isRemoved: false,
  beganFresh: true,
  canRetry: true,
}

test.each<readonly [Partial<MemoryBreak>, string]>([
  [{}, 'Its state file was gone, so run 8 started fresh as memory B.'],
  [{ wasTried: true }, 'The agent could not load it, so run 8 started fresh as memory B.'],
  [{ isRemoved: true }, 'It was removed at cleanup, so run 8 started fresh as memory B.'],
  [{ reason: 'refused' }, 'The agent refused to resume it, so run 8 started fresh as memory B.'],
  [
    { reason: 'unsupported_version', wasTried: true },
    'This agent cannot read it, so run 8 started fresh as memory B.',
  ],
  [
    { reason: 'refused', isNotTried: true },
    'It failed twice, so it was not tried: run 8 started fresh as memory B.',
  ],
  [{ beganFresh: false, wasTried: true }, 'The agent could not load it, and no fresh session began.'],
  [
    { reason: 'refused', isNotTried: true, beganFresh: false },
    'It failed twice, so it was not tried, and no fresh session began.',
  ],
])('a band says of %j why its memory ended', (facts, words) => {
  expect(breakReason({ ...gap, ...facts }, 'run 8', 'B')).toBe(words)
})

test('a band says that a memory ends only where another one follows', () => {
  expect(breakTitle(gap)).toBe('Memory A ends here.')
  expect(breakTitle({ ...gap, beganFresh: false })).toBe('Memory A was not resumed.')
  expect(breakTitle({ ...gap, letter: null })).toBe('A memory ends here.')
})
