import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names'
import { Icon, type IconName } from './icon'

export type NoticeTone = 'neutral' | 'info' | 'warn' | 'bad'

export interface NoticeProps {
  readonly tone?: NoticeTone
  readonly icon?: IconName
  /** What happened, as a sentence. */
  readonly title?: string | undefined
  /** What it means, and what happens by itself. */
  readonly children?: ReactNode
  readonly actions?: ReactNode
  /** Interrupts a screen reader: only for what blocks. */
  readonly isAlert?: boolean
  readonly className?: string | undefined
  readonly test?: string | undefined
}

/** A message in the content: what happened, what it means, what to do. */
export function Notice({
  tone = 'neutral',
  icon = 'info',
  title,
  children,
  actions,
  isAlert = false,
  className,
  test,
}: NoticeProps) {
  return (
    <div
      className={classNames('notice', className)}
      data-tone={tone}
      data-test={test}
      role={isAlert ? 'alert' : undefined}
    >
      <Icon name={icon} size={16} />
      <div className="min-w-0 grow">
        {title && <b>{title}</b>} {children}
      </div>
      {actions && <div className="flex flex-none items-center gap-1.5">{actions}</div>}
    </div>
  )
}
