import type { BadgeTone } from './badge'
import { Badge } from './badge'
import type { IconName } from './icon'
import type { SessionBadge } from '../lib/session-badge'

const looks: Readonly<Record<SessionBadge, { readonly icon: IconName; readonly tone: BadgeTone }>> = {
  pending: { icon: 'circle-dashed', tone: 'pending' },
  resumed: { icon: 'link', tone: 'ok' },
  no_prior_session: { icon: 'sprout', tone: 'neutral' },
  adapter_changed: { icon: 'arrow-left-right', tone: 'new' },
  state_missing: { icon: 'unlink', tone: 'lost' },
  unsupported_version: { icon: 'package-x', tone: 'lost' },
  refused: { icon: 'shield-x', tone: 'lost' },
  chosen_fresh: { icon: 'user', tone: 'neutral' },
  unproven: { icon: 'circle-help', tone: 'warn' },
  none: { icon: 'minus', tone: 'outline' },
}

export interface MemoryBadgeProps {
  readonly badge: SessionBadge
  readonly text: string
  /** The sentence of ui.md 6. */
  readonly tooltip: string
}

/** Whether a run remembered, in icon and words. */
export function MemoryBadge({ badge, text, tooltip }: MemoryBadgeProps) {
  return <Badge text={text} tooltip={tooltip} {...looks[badge]} test="session-badge" value={badge} />
}
