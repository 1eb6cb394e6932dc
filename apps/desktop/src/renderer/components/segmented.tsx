import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'

export interface SegmentedProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly onChange: (value: T) => void
  readonly options: readonly { readonly value: T; readonly label: string; readonly test?: string }[]
  readonly test?: string | undefined
}

/** One of a few views, side by side; exactly one is always chosen. */
export function Segmented<T extends string>({ label, value, onChange, options, test }: SegmentedProps<T>) {
  return (
    <ToggleGroup
      className="seg"
      aria-label={label}
      data-test={test}
      value={[value]}
      onValueChange={(next: readonly T[]) => {
        const chosen = next.at(-1)
        if (chosen !== undefined) onChange(chosen)
      }}
    >
      {options.map((option) => (
        <Toggle key={option.value} value={option.value} data-test={option.test}>
          {option.label}
        </Toggle>
      ))}
    </ToggleGroup>
  )
}
