import { describe, expect, it } from 'vitest'
import type { InstallationRow } from '@shared/contract/app'
import {
  agoWords,
  loginKindWords,
  loginLookOf,
  loginMountWords,
  projectLoginsOf,
  proofWords,
} from './login-words'

const now = Date.parse('2026-11-30T12:00:00Z')
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const variable = (name: string) => ({ kind: 'environment' as const, name })
const key = variable('ANTHROPIC_API_KEY')
const token = variable('CLAUDE_CODE_OAUTH_TOKEN')

const login = (part: Partial<Parameters<typeof loginLookOf>[0]>) =>
  loginLookOf({ adapter: 'codex', loginState: 'found', loginEndsAt: null, loginSource: null, ...part }, now)

describe('the login of an agent', () => {
  it.each([
    [{}, 'Signed in', 'text-ok'],
    [{ loginSource: key }, 'API key set', 'text-ok'],
    [{ loginSource: token }, 'Signed in', 'text-ok'],
    [{ loginState: 'missing' }, 'Not signed in', 'text-bad'],
    [{ loginState: 'expired', loginEndsAt: now - day }, 'Expired', 'text-warn'],
    [{ loginEndsAt: now + 300 * day }, 'Signed in', 'text-ok'],
    [{ loginEndsAt: now + 7 * day }, 'Signed in', 'text-ok'],
    [{ loginEndsAt: now + 7 * day - 1 }, 'Expires in 6d', 'text-warn'],
    [{ loginEndsAt: now + 2 * day + hour }, 'Expires in 2d', 'text-warn'],
    [{ loginEndsAt: now + day - 1 }, 'Expires in 23h', 'text-warn'],
    [{ loginEndsAt: now + 5 * minute }, 'Expires in 5m', 'text-warn'],
    [{ adapter: 'api' }, 'API key set', 'text-ok'],
    [{ adapter: 'api', loginState: 'missing' }, 'No key', 'text-ink-3'],
    [{ adapter: 'api', loginState: 'unknown' }, 'unknown', 'text-ink-3'],
  ] as const)('%j: %s', (part, text, tone) => {
    expect(login(part)).toMatchObject({ text, tone })
  })

  it('that ends soon says what to do before it does', () =>
    expect(login({ loginEndsAt: now + day }).help).toMatch(/^After that, its runs wait instead of failing\./))
})

it('the logins of projects that have others are told with the projects', () => {
  const ofProjects = (
    adapter: 'codex' | 'api',
    loginState: InstallationRow['loginState'],
    loginEndsAt: number | null = null,
  ) => {
    const projects = 'harbour/pier and 2 more'
    return projectLoginsOf({ adapter, projectLogins: [{ projects, loginState, loginEndsAt }] }, now)
  }
  expect(ofProjects('codex', 'missing')).toMatchObject([
    {
      text: 'In harbour/pier and 2 more: not signed in',
      tone: 'text-bad',
      help: expect.stringMatching(/^Its runs wait/),
    },
  ])
  expect(ofProjects('codex', 'found')).toMatchObject([{ text: 'In harbour/pier and 2 more: signed in' }])
  expect(ofProjects('codex', 'found', now + 2 * day)).toMatchObject([
    { text: 'In harbour/pier and 2 more: expires in 2d', tone: 'text-warn', icon: 'clock' },
  ])
  expect(ofProjects('api', 'found')).toMatchObject([{ text: 'In harbour/pier and 2 more: API key set' }])
  expect(ofProjects('api', 'missing')).toMatchObject([
    { text: 'In harbour/pier and 2 more: no key', tone: 'text-bad' },
  ])
  expect(projectLoginsOf({ adapter: 'codex', projectLogins: [] }, now)).toEqual([])
})

it.each([
  [null, null],
  [{ kind: 'file', name: 'auth.json' }, 'Login file auth.json'],
  [token, 'Long-lived setup token'],
  [key, 'API key in ANTHROPIC_API_KEY'],
  [variable('GH_TOKEN'), 'Token in GH_TOKEN'],
] as const)('what signs in, %j, is told as %s', (loginSource, told) => {
  expect(loginKindWords({ loginSource })).toBe(told)
})

it.each([
  ['container', 0, 'nothing'],
  ['container', 1, 'read-only, 1 file'],
  ['container', 2, 'read-only, 2 files or folders'],
  ['host', 1, null],
] as const)('in a %s with %i mounts: %s', (runner, loginMounts, told) => {
  expect(loginMountWords({ runner, loginMounts })).toBe(told)
})

it('what the provider said is told with when, and what it cost', () => {
  const proof = { outcome: 'answered', message: null, tookMs: 2_100, costUsd: 0.0004, askedAt: 1 } as const
  expect(proofWords(proof, '2m ago')).toMatchObject({
    text: 'a one-word answer 2m ago, in 2s, $0.0004',
    tone: 'text-ok',
  })
  expect(proofWords({ ...proof, costUsd: null }, '1h ago').text).toBe(
    'a one-word answer 1h ago, in 2s, cost unknown',
  )
  expect(proofWords({ ...proof, outcome: 'refused', message: 'no such key' }, '1h ago')).toMatchObject({
    text: 'refused 1h ago: no such key',
    tone: 'text-bad',
  })
  expect(proofWords({ ...proof, outcome: 'failed' }, 'just now')).toMatchObject({
    text: 'no answer just now: it gave no reason',
    tone: 'text-warn',
  })
})

it.each([
  [59_999, 'just now'],
  [minute, '1m ago'],
  [hour, '1h ago'],
  [3 * day, '3d ago'],
])('%i ms: %s', (ms, told) => expect(agoWords(ms)).toBe(told))
