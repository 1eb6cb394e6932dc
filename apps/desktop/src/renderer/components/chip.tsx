import { classNames } from '../lib/class-names'
import { Icon, type IconName } from './icon'

export type ChipTone = 'neutral' | 'run' | 'ok' | 'warn' | 'bad' | 'new'

export interface ChipProps {
  readonly text: string
  readonly icon?: IconName | undefined
  readonly tone?: ChipTone
  readonly className?: string | undefined
  readonly test?: string | undefined
  readonly value?: string | undefined
  readonly title?: string | undefined
}

/** The state of something in icon and words; colour comes last. */
export function Chip({ text, icon, tone = 'neutral', className, test, value, title }: ChipProps) {
  return (
    <span
      className={classNames('chip', tone !== 'neutral' && `tone-${tone}`, className)}
      data-test={test}
      data-value={value}
      title={title}
    >
      {icon && <Icon name={icon} size={12} />}
      <span className="cut">{text}</span>
    </span>
  )
}
