import { Select as Base } from '@base-ui/react/select'
import { classNames } from '../lib/class-names'
import { Icon } from './icon'

export interface SelectProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly onChange: (value: T) => void
  readonly options: readonly {
    readonly value: T
    readonly label: string
    readonly note?: string | undefined
  }[]
  readonly className?: string | undefined
  readonly test?: string | undefined
}

export function Select<T extends string>({
  label,
  value,
  onChange,
  options,
  className,
  test,
}: SelectProps<T>) {
  return (
    <Base.Root
      items={options}
      value={value}
      onValueChange={(next: T | null) => next !== null && onChange(next)}
    >
      <Base.Trigger
        className={classNames('input', className)}
        aria-label={label}
        data-test={test}
        data-value={value}
      >
        <span className="cut grow text-left">
          <Base.Value />
        </span>
        <Base.Icon>
          <Icon name="chevron-down" size={13} className="text-ink-3" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="popup-layer">
          <Base.Popup className="menu min-w-(--anchor-width)">
            <Base.List>
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} className="menu-item">
                  <span className="grid w-[15px] place-items-center">
                    <Base.ItemIndicator>
                      <Icon name="check" size={13} className="text-accent" />
                    </Base.ItemIndicator>
                  </span>
                  <Base.ItemText>{option.label}</Base.ItemText>
                  {option.note && <span className="ml-auto text-11 text-ink-3">{option.note}</span>}
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
