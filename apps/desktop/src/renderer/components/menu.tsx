import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Icon, type IconName } from './icon'
import { Kbd } from './kbd'

export interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement
  readonly children: ReactNode
  readonly align?: 'start' | 'center' | 'end'
  readonly side?: 'top' | 'bottom'
  /** What gets the focus when it closes; null: the trigger. */
  readonly finalFocus?: (() => HTMLElement | null) | undefined
}

export function Menu({ trigger, children, align = 'end', side = 'bottom', finalFocus }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={4} className="popup-layer">
          <Base.Popup className="menu" finalFocus={finalFocus && (() => finalFocus() ?? true)}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export interface MenuItemProps {
  readonly label: string
  readonly icon?: IconName
  readonly keys?: string | undefined
  /** Why it cannot be chosen now; shown in the place of the key. */
  readonly disabledReason?: string | null | undefined
  readonly isDanger?: boolean
  readonly onSelect: () => void
  readonly test?: string | undefined
}

export function MenuItem({ label, icon, keys, disabledReason, isDanger, onSelect, test }: MenuItemProps) {
  return (
    <Base.Item className="menu-item" disabled={Boolean(disabledReason)} onClick={onSelect} data-test={test}>
      {icon && <Icon name={icon} size={15} />}
      <span className={isDanger ? 'text-bad' : undefined}>{label}</span>
      {disabledReason ? (
        <span className="ml-auto text-11 text-ink-3">{disabledReason}</span>
      ) : (
        keys && <Kbd keys={keys} />
      )}
    </Base.Item>
  )
}

export interface MenuChoiceProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly choices: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T) => void
}

/** One choice of several inside a menu; the menu stays open. */
export function MenuChoice<T extends string>({ label, value, choices, onChange }: MenuChoiceProps<T>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="menu-label">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(next: T) => onChange(next)}>
        {choices.map((choice) => (
          <Base.RadioItem key={choice.value} value={choice.value} closeOnClick={false} className="menu-item">
            <span className="grid w-[15px] place-items-center">
              <Base.RadioItemIndicator>
                <Icon name="check" size={13} className="text-accent" />
              </Base.RadioItemIndicator>
            </span>
            {choice.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}

export const MenuSeparator = () => <Base.Separator className="menu-separator" />
