import { describe, expect, it } from 'vitest'
import { stateChips, type StateChipRow } from './state-chips'

const row: StateChipRow = {
  mode: 'resume',
  resumed: true,
  nativeSessionId: '7c1e44d0-0000-4000-8000-000000009b2f',
  stateBytesBefore: 2_100_000,
  stateBytesAfter: 2_200_000,
  endedAt: 1,
  idSetAside: false,
}

const titles = (patch: Partial<StateChipRow>) =>
  stateChips({ ...row, ...patch }).map(({ text, title }) => `${text}: ${title}`)

describe('the chips beside a memory badge', () => {
  it('are absent where all is well', () => expect(titles({})).toEqual([]))

  it('say what is behind them', () => {
    expect(titles({ stateBytesAfter: 2_100_000 })).toEqual([
      'Nothing was saved: Remembered, but this run was not added to the memory.',
    ])
    expect(titles({ stateBytesAfter: 310_000 })).toEqual([
      'Memory shrank: Remembered, but the state is smaller than before: 2.1 MB to 310 kB.',
    ])
    expect(titles({ resumed: false, stateBytesAfter: 0, idSetAside: true })).toEqual([
      'Nothing was saved: This run was not added to the memory.',
      'Not tried: It failed twice in a row, so it was not tried again. “Retry old id” tries it by hand.',
    ])
  })
})
