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

  it('says what can be freed on a full disk, else what is free', () => {
    const full = (facts: EngineBanner['facts']) =>
      said({ code: 'disk_full', facts: { freeBytes: 1_000_000, ...facts } }).replace(/^.*events\. /, '')
    expect(full({ workspaces: 14, workspaceBytes: 9_200_000_000 })).toBe(
      '14 workspaces of finished issues hold 9.2 GB.',
    )
    expect(full({ workspaces: 1, workspaceBytes: 2_000_000 })).toBe(
      '1 workspace of a finished issue holds 2.0 MB.',
    )
    expect(full({ workspaces: 0, workspaceBytes: 0 })).toBe('1.0 MB are free.')
    expect(full({ workspaces: null, workspaceBytes: null })).toBe('1.0 MB are free.')
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
    const freeAt = now + 110 * 60_000
    expect(said({ code: 'account_limit', facts: { ...facts, freeAt } })).toBe(
      `The claude-code account is out of usage until ${formatTime(freeAt, { now })}. New claude-code runs wait and use up no attempt. Other adapters go on.`,
    )
    expect(said({ code: 'account_limit', facts: { ...facts, freeAt: now } })).toMatch(
      /^The claude-code account is out of usage\. .* Alfred looks again at /,
    )
    expect(said({ code: 'account_limit', facts: { adapter: 'claude-code', until: null } })).toBe(
      'The claude-code account is out of usage. New claude-code runs wait and use up no attempt. Other adapters go on.',
    )
  })

  const at = (time: number): string => formatTime(time, { now })
  const forge = { forge: 'git.harbour.example', forgeId: 1, projects: 4, message: 'It fails.' }

  it('says of a forge that does not answer what waits, until when and since when', () => {
    expect(
      said({
        code: 'forge_unreachable',
        facts: { ...forge, status: 502, posts: 3, until: now + 38_000, lastAnswerAt: since },
      }),
    ).toBe(
      `git.harbour.example does not answer (HTTP 502). Runs go on; 3 posts wait in the outbox. Next try in 40s. Last whole answer ${at(since)}.`,
    )
    expect(
      said({
        code: 'forge_unreachable',
        facts: { ...forge, status: null, posts: 0, until: now - 1, lastAnswerAt: null },
      }),
    ).toBe('git.harbour.example does not answer. Runs go on. Trying now.')
    expect(
      said({
        code: 'forge_unreachable',
        facts: { ...forge, status: null, posts: 1, message: "The forge's certificate is not trusted (X)." },
      }),
    ).toBe(
      'The certificate of git.harbour.example is not trusted. Runs go on. 1 post waits in the outbox. Give the CA file of the forge.',
    )
  })

  it('says of a forge that wants fewer requests when it is asked again', () => {
    const until = now + 21 * 60_000
    expect(said({ code: 'forge_rate_limited', facts: { ...forge, status: 429, posts: 0, until } })).toBe(
      `git.harbour.example asked Alfred to slow down (HTTP 429). Polling goes on by itself at ${at(until)}. Runs and Stop work.`,
    )
  })

  it('says of a token that is refused, or missing, what is paused', () => {
    const paused = 'Polling is paused for 4 projects; live runs go on and their results wait here.'
    expect(said({ code: 'forge_token', facts: { ...forge, status: 401 } })).toBe(
      `git.harbour.example refused the token (HTTP 401). ${paused}`,
    )
    for (const message of ['There is no token for this forge.', '/ca.pem cannot be read.'])
      expect(
        said({
          code: 'forge_token',
          facts: { ...forge, status: null, message: `The forge is not asked: ${message}` },
        }),
      ).toBe(`git.harbour.example is not asked. ${message} ${paused}`)
  })

  it('says of a project why it cannot be polled', () => {
    const facts = { ...forge, project: 'acme/old', message: 'acme/old is archived on the forge.' }
    expect(said({ code: 'forge_project', facts })).toBe(
      'acme/old cannot be polled. acme/old is archived on the forge. Its runs go on; their results wait here.',
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
