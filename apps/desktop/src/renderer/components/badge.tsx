import { classNames } from '../lib/class-names'
import { Icon, type IconName } from './icon'
import { Tooltip } from './tooltip'

export type BadgeTone = 'ok' | 'neutral' | 'new' | 'lost' | 'warn' | 'pending' | 'outline'

export interface BadgeProps {
  readonly text: string
  readonly icon: IconName
  readonly tone: BadgeTone
  /** The whole sentence behind the two words; screen readers get it too. */
  readonly tooltip?: string | undefined
  readonly test?: string | undefined
  /** The raw value that tests read. */
  readonly value?: string | undefined
}

/** A verdict in icon and words, with the sentence behind it as tooltip. */
export function Badge({ text, icon, tone, tooltip, test, value }: BadgeProps) {
  const badge = (
    <span
      className={classNames('badge', tone !== 'neutral' && `tone-${tone}`)}
      data-test={test}
      data-value={value}
    >
      <Icon name={icon} size={13} />
      {text}
      {tooltip && <span className="sr">. {tooltip}</span>}
    </span>
  )
  return tooltip ? <Tooltip text={tooltip}>{badge}</Tooltip> : badge
}
