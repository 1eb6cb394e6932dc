import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../components/icon'

export interface TerminalCardProps {
  readonly icon: IconName
  readonly tone: 'warn' | 'quiet' | 'bad'
  readonly title: string
  readonly text: string
  readonly children?: ReactNode
  readonly test: string
  /** It waits for a choice. */
  readonly isAlert?: boolean
}

/** What stands in the place of a terminal that is not shown, and what can be done about it. */
export function TerminalCard({
  icon,
  tone,
  title,
  text,
  children,
  test,
  isAlert = false,
}: TerminalCardProps) {
  const colour = { warn: 'text-warn', bad: 'text-bad', quiet: 'text-ink-3' }[tone]
  return (
    <div className="terminal-over">
      <section
        className="terminal-card"
        role={isAlert ? 'alertdialog' : undefined}
        data-in-page
        aria-labelledby={`${test}-title`}
        aria-describedby={`${test}-text`}
        data-test={test}
      >
        <div className="flex items-start gap-2.5">
          <Icon name={icon} size={22} className={colour} />
          <div className="min-w-0">
            <h2 id={`${test}-title`} className="text-16 font-semibold">
              {title}
            </h2>
            <p id={`${test}-text`} className="mt-0.5 text-12 leading-[18px] text-pretty text-ink-2">
              {text}
            </p>
          </div>
        </div>
        {children}
      </section>
    </div>
  )
}

/** A choice: its button, and what it does in words. */
export function CardChoice({
  button,
  children,
}: {
  readonly button: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div className="terminal-choice">
      {button}
      <span className="text-12 text-ink-2">{children}</span>
    </div>
  )
}
