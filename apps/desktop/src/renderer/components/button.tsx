import { useId, type ComponentPropsWithRef, type MouseEvent } from 'react'
import { classNames } from '../lib/class-names'
import { ariaShortcut } from '../lib/keyboard/key-label'
import { Icon, type IconName } from './icon'
import { Kbd } from './kbd'
import { Tooltip } from './tooltip'

export interface ButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'disabled' | 'aria-label'> {
  /** The words on the button; with `isIconOnly` its name for screen readers and the tooltip. */
  readonly label: string
  readonly icon?: IconName | undefined
  readonly variant?: 'normal' | 'primary' | 'danger' | 'danger-solid' | 'quiet' | 'ghost'
  readonly size?: 'sm' | 'md2' | 'md' | 'lg'
  readonly isIconOnly?: boolean
  /** The key that does the same, as in the key map: `Ctrl+K`. */
  readonly keys?: string | undefined
  /** Why the action is not possible now. The button stays focusable and says so. */
  readonly disabledReason?: string | null | undefined
  readonly isBusy?: boolean
  /** What a person should know before; shown beside it, and read out after its name. */
  readonly hint?: string | undefined
  /** A longer name for screen readers, where the words alone do not say enough. */
  readonly spokenLabel?: string | undefined
  readonly test?: string | undefined
}

/** A button that can be refused with a reason instead of going dead. One primary per region. */
export function Button(props: ButtonProps) {
  const { label, isIconOnly = false, keys, disabledReason, hint } = props
  // One whose reason comes and goes stays the same button, and keeps the focus.
  if (!isIconOnly && !('disabledReason' in props) && !('hint' in props)) return <BareButton {...props} />
  const words = [isIconOnly && label, hint].filter(Boolean).join('. ')
  return (
    <Tooltip text={(disabledReason ?? words) || null} keys={isIconOnly && !disabledReason ? keys : undefined}>
      <BareButton {...props} />
    </Tooltip>
  )
}

function BareButton({
  label,
  icon,
  variant = 'normal',
  size = 'md',
  isIconOnly = false,
  keys,
  disabledReason,
  isBusy = false,
  hint,
  spokenLabel,
  test,
  type = 'button',
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const moreId = useId()
  const isOff = Boolean(disabledReason)
  const more = disabledReason ?? hint
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    if (isOff || isBusy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      data-test={test}
      className={classNames(
        'btn',
        variant !== 'normal' && `btn-${variant}`,
        size !== 'md' && `btn-${size}`,
        isIconOnly && 'btn-icon',
        className,
      )}
      aria-label={isIconOnly ? (spokenLabel ?? label) : undefined}
      aria-disabled={isOff || isBusy || undefined}
      aria-busy={isBusy || undefined}
      aria-keyshortcuts={keys ? ariaShortcut(keys) : undefined}
      aria-describedby={more ? moreId : rest['aria-describedby']}
      onClick={press}
    >
      {icon && <Icon name={icon} size={size === 'sm' ? 12 : 14} />}
      {!isIconOnly && <Words label={label} spokenLabel={spokenLabel} />}
      {children}
      {keys && !isIconOnly && <Kbd keys={keys} />}
      {more && (
        <span id={moreId} hidden>
          {more}
        </span>
      )}
    </button>
  )
}

/** A longer name stands in the text and not in aria-label, which would have to contain every key printed beside it. */
function Words({ label, spokenLabel }: Pick<ButtonProps, 'label' | 'spokenLabel'>) {
  return (
    <>
      <span className="btn-text" aria-hidden={spokenLabel === undefined ? undefined : true}>
        {label}
      </span>
      {spokenLabel !== undefined && <span className="sr">{spokenLabel}</span>}
    </>
  )
}
