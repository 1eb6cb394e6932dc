import type { Phase } from '@shared/model/words'
import { phaseWords } from '@shared/phase-words'
import { Button } from '../../components/button'
import { Select } from '../../components/select'
import { badgeText, type SessionBadge } from '../../lib/memory-badge'
import { noFilter, type OutcomeGroup, type TimelineFilter } from './timeline-filter'

export interface FilterBarProps {
  readonly filter: TimelineFilter
  readonly onChange: (filter: TimelineFilter) => void
  readonly onClose: () => void
  readonly letters: readonly string[]
  readonly shown: number
  readonly total: number
}

type Option = { readonly value: string; readonly label: string }

const any = (label: string): Option => ({ value: '', label })
const optionsOf = (label: string, words: Readonly<Record<string, string>>): readonly Option[] => [
  any(label),
  ...Object.entries(words).map(([value, text]) => ({ value, label: text })),
]

const phases = optionsOf('Any phase', phaseWords)
const badges = optionsOf('Any memory badge', badgeText)
const outcomes = optionsOf('Any outcome', {
  live: 'Live',
  succeeded: 'Succeeded',
  not_succeeded: 'Not succeeded',
})

/** Narrows the timeline; says how much of it is shown. */
export function FilterBar({ filter, onChange, onClose, letters, shown, total }: FilterBarProps) {
  const memories = [
    any('Any memory'),
    ...letters.map((letter) => ({ value: letter, label: `Memory ${letter}` })),
  ]
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc of the selects inside
    <div
      role="search"
      className="flex flex-none flex-wrap items-center gap-2 border-b border-line bg-bg px-4 py-1.5"
      aria-label="Filter the timeline"
      data-test="timeline-filter"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <Select
        label="Phase"
        value={filter.phase ?? ''}
        options={phases}
        onChange={(value) => onChange({ ...filter, phase: (value || null) as Phase | null })}
      />
      <Select
        label="Memory"
        value={filter.memory ?? ''}
        options={memories}
        onChange={(value) => onChange({ ...filter, memory: value || null })}
      />
      <Select
        label="Outcome"
        value={filter.outcome ?? ''}
        options={outcomes}
        onChange={(value) => onChange({ ...filter, outcome: (value || null) as OutcomeGroup | null })}
      />
      <Select
        label="Memory badge"
        value={filter.badge ?? ''}
        options={badges}
        onChange={(value) => onChange({ ...filter, badge: (value || null) as SessionBadge | null })}
      />
      <span className="grow" />
      <span className="text-11 text-ink-2" role="status">
        {shown} of {total} shown
      </span>
      <Button
        size="sm"
        label="Clear"
        onClick={() => {
          onChange(noFilter)
          onClose()
        }}
      />
    </div>
  )
}
