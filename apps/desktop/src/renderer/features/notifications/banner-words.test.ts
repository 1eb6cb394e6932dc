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
    expect(said({ code: 'disk_full', facts: {} })).toBe(
      'The disk is full. No new run starts. Live runs keep their last saved events.',
    )
  })

  it('says what a Docker that is too old speaks, and what is needed', () => {
    expect(
      said({ code: 'docker_too_old', facts: { message: 'It speaks API 1.30; Alfred needs 1.40' } }),
    ).toBe(
      'This Docker is too old. It speaks API 1.30; Alfred needs 1.40. Runs wait until there is a newer one; nothing is lost.',
    )
  })

  it('says why the image could not be built', () => {
    expect(said({ code: 'image_missing', facts: { message: 'base: HTTP 403.' } })).toBe(
      'The agent image could not be built. base: HTTP 403. No run can start in a container without it. Nothing is lost.',
    )
  })

  it('says which agent waits, for what and until when', () => {
    const facts = { adapter: 'claude-code', until: now + 60_000 }
    expect(said({ code: 'login_missing', facts })).toBe(
      `claude-code is not signed in. Its runs wait instead of failing. Alfred looks again at ${formatTime(now + 60_000, { now })}.`,
    )
    expect(said({ code: 'account_limit', facts })).toBe(
      `The claude-code account is out of usage. New claude-code runs wait and use up no attempt. Alfred looks again at ${formatTime(now + 60_000, { now })}. Other adapters go on.`,
    )
    expect(said({ code: 'account_limit', facts: { adapter: 'claude-code', until: null } })).toBe(
      'The claude-code account is out of usage. New claude-code runs wait and use up no attempt. Other adapters go on.',
    )
  })

  it('puts the worst first', () => {
    const banners: EngineBanner[] = [
      { code: 'image_missing', severity: 'warn', facts: {} },
      { code: 'docker_unreachable', severity: 'bad', facts: {} },
    ]
    expect(worstFirst(banners).map((banner) => banner.code)).toEqual(['docker_unreachable', 'image_missing'])
  })
})
