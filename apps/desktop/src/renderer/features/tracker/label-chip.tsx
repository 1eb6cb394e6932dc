import type { TrackerLabel } from '@shared/contract/tracker'
import { Icon } from '../../components/icon'

export interface LabelChipProps {
  readonly label: TrackerLabel
  /** Takes it off; absent where it cannot be taken off here. */
  readonly onRemove?: (() => void) | undefined
}

/** A label: its colour as a dot, its name in words. */
export function LabelChip({ label, onRemove }: LabelChipProps) {
  return (
    <span className="chip max-w-full" data-test="issue-label" data-value={label.name}>
      <svg width="8" height="8" aria-hidden="true">
        <circle cx="4" cy="4" r="4" fill={label.color} />
      </svg>
      <span className="cut">{label.name}</span>
      {onRemove && (
        <button
          type="button"
          className="-mr-1 rounded-chip p-0.5 hover:bg-hover"
          aria-label={`Remove the label ${label.name}`}
          onClick={onRemove}
        >
          <Icon name="x" size={11} />
        </button>
      )}
    </span>
  )
}
