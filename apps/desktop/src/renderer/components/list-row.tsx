import type { ComponentPropsWithRef } from 'react'
import { classNames } from '../lib/class-names'

export interface ListRowProps extends ComponentPropsWithRef<'div'> {
  readonly isSelected?: boolean
}

/** A row of a list inside a card or pane: 48 px at least, a line below it. */
export function ListRow({ isSelected = false, className, ...rest }: ListRowProps) {
  return (
    <div
      {...rest}
      className={classNames(
        'flex min-h-12 items-center gap-2.5 border-b border-line px-3 py-2 last:border-b-0',
        isSelected && 'bg-selected',
        className,
      )}
    />
  )
}
