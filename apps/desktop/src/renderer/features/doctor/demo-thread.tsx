import { phaseWords } from '@shared/phase-words'
import type { Phase } from '@shared/model/words'
import { Badge } from '../../components/badge'
import { Icon } from '../../components/icon'
import { badgeText, type SessionBadge } from '../../lib/memory-badge'
import { phaseIcons } from '../../lib/phase-icons'

const rowHeight = 46
const breakHeight = 34

/** What the demo will show, drawn as its two timelines will be. */
export function DemoThread() {
  return (
    <div className="card pt-1 pb-1.5">
      <Row phase="analysis" badge="no_prior_session" colour="a" below="a" />
      <Row phase="development" badge="resumed" colour="a" above="a" below="a" />
      <div className="grid grid-cols-[46px_minmax(0,1fr)] items-center" style={{ height: breakHeight }}>
        <svg width="46" height={breakHeight} fill="none" aria-hidden="true" className="overflow-visible">
          <path d="M22.5 -1V10" stroke="var(--thread-a)" strokeWidth="3" />
          <path d={`M22.5 27V${breakHeight + 1}`} stroke="var(--thread-c)" strokeWidth="3" />
          <path d="M15.5 13l14-5M15.5 28l14-5" stroke="var(--warn)" strokeWidth="2.2" strokeLinecap="round" />
        </svg>
        <span className="pr-3 text-11 font-medium text-warn">
          In the second issue the demo deletes the state on purpose
        </span>
      </div>
      <Row phase="development" badge="state_missing" colour="c" above="c" />
    </div>
  )
}

interface RowProps {
  readonly phase: Phase
  readonly badge: Extract<SessionBadge, 'no_prior_session' | 'resumed' | 'state_missing'>
  readonly colour: 'a' | 'c'
  readonly above?: 'a' | 'c'
  readonly below?: 'a' | 'c'
}

const looks = {
  no_prior_session: { icon: 'sprout', tone: 'neutral' },
  resumed: { icon: 'link', tone: 'ok' },
  state_missing: { icon: 'unlink', tone: 'lost' },
} as const

function Row({ phase, badge, colour, above, below }: RowProps) {
  const middle = rowHeight / 2
  return (
    <div className="grid grid-cols-[46px_minmax(0,1fr)] items-center" style={{ height: rowHeight }}>
      <svg width="46" height={rowHeight} fill="none" aria-hidden="true" className="overflow-visible">
        {above && <path d={`M22.5 -1V${middle}`} stroke={`var(--thread-${above})`} strokeWidth="3" />}
        {below && (
          <path d={`M22.5 ${middle}V${rowHeight + 1}`} stroke={`var(--thread-${below})`} strokeWidth="3" />
        )}
        <circle
          cx="22.5"
          cy={middle}
          r="7.5"
          fill="var(--surface)"
          stroke={`var(--thread-${colour})`}
          strokeWidth="2"
        />
      </svg>
      <div className="min-w-0">
        <div className="flex items-center gap-1.5 text-12 font-medium">
          <Icon name={phaseIcons[phase]} size={13} className="text-ink-2" />
          {phaseWords[phase]}
        </div>
        <div className="mt-px flex">
          <Badge {...looks[badge]} text={badgeText[badge]} />
        </div>
      </div>
    </div>
  )
}
