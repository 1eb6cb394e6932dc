import type { TimelineRow } from '@shared/contract/sessions'
import { formatBytes } from '@shared/format'
import { stateGrowth } from '@shared/timeline/state-growth'

export type StateChipRow = Parameters<typeof stateGrowth>[0] & Pick<TimelineRow, 'idSetAside'>

export interface StateChip {
  readonly test: 'state-not-saved' | 'state-shrank' | 'id-set-aside'
  readonly text: string
  /** The sentence behind the words. */
  readonly title: string
}

/** What stands beside the memory badge of a run: that its memory did not grow, that it shrank, that it was not tried. */
export function stateChips(row: StateChipRow): readonly StateChip[] {
  const { isNotSaved, hasShrunk } = stateGrowth(row)
  const chips: readonly (StateChip | false)[] = [
    isNotSaved && {
      test: 'state-not-saved',
      text: 'Nothing was saved',
      title: `${row.resumed ? 'Remembered, but this' : 'This'} run was not added to the memory.`,
    },
    hasShrunk && {
      test: 'state-shrank',
      text: 'Memory shrank',
      title: `Remembered, but the state is smaller than before: ${formatBytes(row.stateBytesBefore)} to ${formatBytes(row.stateBytesAfter)}.`,
    },
    row.idSetAside && {
      test: 'id-set-aside',
      text: 'Not tried',
      title: 'It failed twice in a row, so it was not tried again. “Retry old id” tries it by hand.',
    },
  ]
  return chips.filter((chip) => chip !== false)
}
