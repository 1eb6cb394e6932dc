import { stateChips, type StateChipRow } from '../lib/state-chips'
import { Chip, type ChipTone } from './chip'
import type { IconName } from './icon'

const looks: Readonly<
  Record<ReturnType<typeof stateChips>[number]['test'], { readonly icon: IconName; readonly tone: ChipTone }>
> = {
  'state-not-saved': { icon: 'hard-drive', tone: 'warn' },
  'state-shrank': { icon: 'hard-drive', tone: 'warn' },
  'id-set-aside': { icon: 'pause', tone: 'neutral' },
}

/** Beside the memory badge: what a person should know of the memory itself. */
export const StateChips = ({ row }: { readonly row: StateChipRow }) =>
  stateChips(row).map((chip) => <Chip key={chip.test} {...chip} {...looks[chip.test]} />)
