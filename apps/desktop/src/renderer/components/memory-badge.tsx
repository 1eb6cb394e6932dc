import { badgeSentence, badgeTextOf, type KeptMemory, type SessionBadge } from '../lib/memory-badge'
import { Badge, type BadgeTone } from './badge'
import type { IconName } from './icon'

/** How each badge looks, also where only its icon is shown. */
export const badgeLooks: Readonly<
  Record<SessionBadge, { readonly icon: IconName; readonly tone: BadgeTone }>
> = {
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
  /** The timeline row that the badge is about. */
  readonly row: Parameters<typeof badgeSentence>[0]
  readonly kept?: KeptMemory | null
}

/** Whether a run remembered, in icon and words; the sentence behind it is tooltip and screen-reader text. */
export function MemoryBadge({ row, kept = null }: MemoryBadgeProps) {
  return (
    <Badge
      text={badgeTextOf(row)}
      tooltip={badgeSentence(row, kept)}
      {...badgeLooks[row.badge]}
      test="session-badge"
      value={row.badge}
    />
  )
}
