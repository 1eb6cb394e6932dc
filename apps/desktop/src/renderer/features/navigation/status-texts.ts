import type { EngineStatus } from '@shared/contract/app'
import { forgeTroubleWords } from '@shared/forge-words'
import { counted, formatDuration } from '@shared/format'

/** `2 running · 1 queued`, `Nothing running`, `Paused · 1 queued`, `Checking 2 runs after sleep`. */
export function runsText({
  running,
  queued,
  isPaused,
  checking,
}: Pick<EngineStatus, 'running' | 'queued' | 'isPaused' | 'checking'>): string {
  if (checking > 0) return `Checking ${counted(checking, 'run')} after sleep`
  const parts = [
    isPaused && 'Paused',
    running > 0 ? `${running} running` : !isPaused && queued === 0 && 'Nothing running',
    queued > 0 && `${queued} queued`,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** `Docker 28.5 rootless`, or that it is not there. */
export function dockerText({ state, version, rootless }: EngineStatus['docker']): string {
  switch (state) {
    case 'unknown':
      return 'Looking for Docker'
    case 'unreachable':
      return 'Docker not reachable'
    case 'not_permitted':
      return 'Docker refuses this user'
    case 'too_old':
      return 'Docker is too old'
    case 'reachable':
      return ['Docker', version, rootless && 'rootless'].filter(Boolean).join(' ')
  }
}

/** What the time to the next poll is rounded up to: a window that only waits need not be drawn each second. */
export const pollStepMs = 5_000

/** The forge that is asked next: `git.example.org · next poll 20s`, or one with a trouble; others are counted. */
export function pollText(forges: EngineStatus['forges'], now: number): string {
  const next = forges.toSorted(
    (a, b) =>
      Number(a.state === 'ok') - Number(b.state === 'ok') ||
      (a.nextPollAt ?? Infinity) - (b.nextPollAt ?? Infinity),
  )[0]
  if (!next) return ''
  const more = forges.length > 1 ? ` +${forges.length - 1}` : ''
  if (next.state !== 'ok') return `${next.name}${more} · ${forgeTroubleWords[next.state]}`
  const poll =
    next.nextPollAt === null
      ? 'no polling'
      : next.nextPollAt <= now
        ? 'polling'
        : `next poll ${formatDuration(Math.ceil((next.nextPollAt - now) / pollStepMs) * pollStepMs)}`
  return `${next.name}${more} · ${poll}`
}
