import { Switch as Base } from '@base-ui/react/switch'

export interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly isDisabled?: boolean
  readonly test?: string | undefined
}

/** On or off, in force at once. The label is for screen readers; the words stand beside it. */
export function Switch({ label, isOn, onChange, isDisabled = false, test }: SwitchProps) {
  return (
    <Base.Root
      className="switch"
      checked={isOn}
      onCheckedChange={onChange}
      disabled={isDisabled}
      aria-label={label}
      data-test={test}
      data-value={String(isOn)}
    >
      <Base.Thumb />
    </Base.Root>
  )
}
