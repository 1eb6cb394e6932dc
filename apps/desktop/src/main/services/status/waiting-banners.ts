import type { EngineBanner } from '@shared/contract/app'
import type { RunFailure } from '@shared/contract/runs'
import type { Run } from '@shared/model/records'
import { parseFailure } from '../../core/run/run-row'

/** What keeps every run of an agent waiting, once per agent: it is not signed in, or its account is used up. */
export function waitingBanners(live: readonly Run[]): readonly EngineBanner[] {
  const banners = new Map<string, EngineBanner>()
  for (const run of live) {
    const failure = run.state === 'queued' ? waitsFor(run) : null
    if (failure === null) continue
    const { type: code } = failure
    const key = `${code} ${run.adapter}`
    const known = banners.get(key)?.facts
    const facts = {
      adapter: run.adapter,
      until: oneOf(Math.min, known?.['until'], run.nextAttemptAt),
      // What was told last holds for all of them.
      ...(code === 'account_limit' && { freeAt: oneOf(Math.max, known?.['freeAt'], failure.freeAt) }),
    }
    banners.set(key, { code, severity: 'warn', facts })
  }
  return [...banners.values()]
}

type Waiting = RunFailure & { readonly type: 'login_missing' | 'account_limit' }

function waitsFor(run: Run): Waiting | null {
  const failure = parseFailure(run.error)
  return failure?.type === 'login_missing' || failure?.type === 'account_limit' ? (failure as Waiting) : null
}

/** null: none of them is known. */
function oneOf(choose: (...times: number[]) => number, ...times: readonly unknown[]): number | null {
  const known = times.filter((time) => typeof time === 'number')
  return known.length === 0 ? null : choose(...known)
}
