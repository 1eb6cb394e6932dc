import type { EngineBanner } from '@shared/contract/app'
import type { Run } from '@shared/model/records'
import { parseFailure } from '../../core/run/run-row'

/** What keeps every run of an agent waiting, once per agent: it is not signed in, or its account is used up. */
export function waitingBanners(live: readonly Run[]): readonly EngineBanner[] {
  const banners = new Map<string, EngineBanner>()
  for (const run of live) {
    const code = run.state === 'queued' ? waitsFor(run) : null
    const key = `${code} ${run.adapter}`
    const known = banners.get(key)
    if (code === null) continue
    const times = [known?.facts['until'], run.nextAttemptAt].filter((time) => typeof time === 'number')
    const facts = { adapter: run.adapter, until: times.length === 0 ? null : Math.min(...times) }
    banners.set(key, { code, severity: 'warn', facts })
  }
  return [...banners.values()]
}

function waitsFor(run: Run): 'login_missing' | 'account_limit' | null {
  const failure = parseFailure(run.error)
  return failure?.type === 'login_missing' || failure?.type === 'account_limit' ? failure.type : null
}
