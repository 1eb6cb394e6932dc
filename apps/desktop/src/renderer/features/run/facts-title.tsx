import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../components/icon'

export interface FactsTitleProps {
  readonly icon: IconName
  readonly title: string
  /** A short figure at the far end. */
  readonly children?: ReactNode
}

export function FactsTitle({ icon, title, children }: FactsTitleProps) {
  return (
    <h2 className="facts-title">
      <Icon name={icon} size={14} className="text-ink-3" />
      {title}
      {children && <span className="ml-auto text-11 font-normal text-ink-3">{children}</span>}
    </h2>
  )
}
