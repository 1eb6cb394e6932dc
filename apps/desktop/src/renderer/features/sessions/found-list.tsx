import type { FoundSession } from '@shared/contract/sessions'
import { formatAge, formatBytes, shortId } from '@shared/format'
import { useMinute } from '../../lib/clock'

export interface FoundListProps {
  readonly sessions: readonly FoundSession[]
  readonly chosen: string | null
  readonly onChoose: (key: string) => void
}

/** What tells one found session from another. */
export const keyOf = ({ adapter, nativeId }: FoundSession): string => `${adapter} ${nativeId}`

/** The sessions that were found, one of them to be chosen. One that cannot be bound says why. */
export function FoundList({ sessions, chosen, onChoose }: FoundListProps) {
  const now = useMinute()
  return (
    <div role="radiogroup" aria-label="Found sessions" data-test="found-sessions">
      {sessions.map((session) => (
        <label
          key={keyOf(session)}
          className="flex min-h-[46px] items-center gap-2.5 border-b border-line px-3 py-1.5 last:border-b-0 not-has-disabled:cursor-pointer not-has-disabled:hover:bg-hover has-checked:bg-selected"
          data-test="found-session"
          data-adapter={session.adapter}
          data-value={session.nativeId}
        >
          <input
            type="radio"
            name="found-session"
            className="size-3.5 flex-none accent-accent"
            checked={chosen === keyOf(session)}
            disabled={session.obstacle !== null}
            onChange={() => onChoose(keyOf(session))}
          />
          <span className="min-w-0 grow">
            <span className="cut block text-13" title={session.title ?? undefined}>
              {session.title ?? 'Without a title'}
            </span>
            <span className="cut block text-11 text-ink-2">
              {session.adapter} ·{' '}
              <span className="mono" title={session.nativeId}>
                {shortId(session.nativeId)}
              </span>
              {session.workedIn !== null && (
                <>
                  {' · in '}
                  <span className="mono">{session.workedIn}</span>
                </>
              )}
            </span>
            {session.obstacle !== null && (
              <span className="block text-11 text-warn" data-test="found-obstacle">
                {session.obstacle}
              </span>
            )}
          </span>
          <span className="flex-none text-right text-11 text-ink-2 tabular-nums">
            <span className="block">{formatBytes(session.bytes)}</span>
            <span className="block">{formatAge(Math.max(0, now - session.savedAt))} old</span>
          </span>
        </label>
      ))}
    </div>
  )
}
