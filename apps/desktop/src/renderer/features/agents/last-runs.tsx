import type { AgentHistoryRow } from '@shared/contract/app'
import { Icon } from '../../components/icon'
import { badgeLooks } from '../../components/memory-badge'
import type { BadgeTone } from '../../components/badge'
import { lastRunWords } from './installation-words'

const fills: Readonly<Record<BadgeTone, string>> = {
  ok: 'bg-ok',
  lost: 'bg-warn',
  warn: 'bg-warn',
  new: 'bg-new',
  neutral: 'bg-ink-3',
  outline: 'bg-line-strong',
  pending: 'bg-run',
}
const inks: Readonly<Record<BadgeTone, string>> = {
  ok: 'text-ok',
  lost: 'text-warn',
  warn: 'text-warn',
  new: 'text-new',
  neutral: 'text-ink-2',
  outline: 'text-ink-3',
  pending: 'text-run',
}

/** What the last runs of an agent remembered: a bar, and the counts in words. */
export function LastRuns({ counts }: { readonly counts: AgentHistoryRow['lastRuns'] }) {
  const all = counts.reduce((sum, { runs }) => sum + runs, 0)
  if (all === 0) return null
  return (
    <section data-test="last-runs" data-value={all}>
      <h3 className="mb-1.5 text-12 font-semibold">{all === 1 ? 'Last run' : `Last ${all} runs`}</h3>
      <div className="flex h-2.5 gap-0.5 overflow-hidden rounded-chip" aria-hidden="true">
        {counts.map(({ badge, runs }) => (
          <span key={badge} className={fills[badgeLooks[badge].tone]} style={{ flexGrow: runs }} />
        ))}
      </div>
      <ul className="mt-1.5 flex flex-wrap gap-x-3 gap-y-0.5 text-11 text-ink-2">
        {counts.map(({ badge, runs }) => (
          <li key={badge} className="flex items-center gap-1" data-test="last-runs-of" data-value={badge}>
            <Icon name={badgeLooks[badge].icon} size={12} className={inks[badgeLooks[badge].tone]} />
            {`${runs} ${lastRunWords[badge]}`}
          </li>
        ))}
      </ul>
    </section>
  )
}
