import { describe, expect, it } from 'vitest'
import type { EngineBanner } from '@shared/contract/app'
import { formatTime } from '@shared/format/times'
import { bannerWords, worstFirst } from './banner-words'

const now = new Date('2026-11-29T14:10:00').getTime()
const since = now - 4 * 60_000
const said = (banner: Pick<EngineBanner, 'code' | 'facts'>): string => {
  const { title, text } = bannerWords(banner, now)
  return `${title} ${text}`
}

describe('bannerWords', () => {
  it('says what Docker did to the runs and what is tried', () => {
    expect(
      said({
        code: 'docker_unreachable',
        facts: {
          endpoint: 'unix:///docker.sock',
          interval: 5_000,
          since,
          interrupted: 2,
        },
      }),
    ).toBe(
      `Docker is not reachable. 2 runs are interrupted, nothing is lost. Tried unix:///docker.sock every 5s since ${formatTime(since, { now })}.`,
    )
  })

  it('leaves out what is not known', () => {
    expect(said({ code: 'docker_unreachable', facts: {} })).toBe(
      'Docker is not reachable. No run was interrupted; new ones wait.',
    )
    expect(
      said({ code: 'forge_unreachable', facts: { forge: 'git.example', status: 502, outboxWaiting: 3 } }),
    ).toBe('git.example does not answer (HTTP 502). Runs go on; 3 posts wait in the outbox.')
  })

  it('puts the worst first', () => {
    const banners: EngineBanner[] = [
      { code: 'login_missing', severity: 'warn', facts: {} },
      { code: 'docker_unreachable', severity: 'bad', facts: {} },
    ]
    expect(worstFirst(banners).map((banner) => banner.code)).toEqual(['docker_unreachable', 'login_missing'])
  })
})
