import { describe, expect, it } from 'vitest'
import type { InstallationRow } from '@shared/contract/app'
import { conditionsOf, keepsSessions, loginLookOf, onDiskWords } from './installation-words'

const row = (part: Partial<InstallationRow> = {}): InstallationRow => ({
  adapter: 'codex',
  runner: 'container',
  imageTag: 'alfred/agent:1',
  imageDigest: 'sha256:1',
  version: '0.171.0',
  resumable: true,
  reason: null,
  projectReasons: [],
  verifiedRange: '0.99.0 to 0.171.0',
  statePath: '/home/agent/.codex/sessions',
  loginState: 'found',
  projectLogins: [],
  detectedAt: 0,
  ...part,
})
const words = (part: Partial<InstallationRow> = {}, isResumeOn: boolean | null = true): readonly string[] =>
  conditionsOf(row(part), isResumeOn).map(({ text, holds }) => `${holds ? 'yes' : 'no'}: ${text}`)

describe('the conditions of a resume', () => {
  it('are all told where they hold', () =>
    expect(words()).toEqual([
      'yes: AGENT_SESSION_RESUME is on',
      'yes: Adapter declares resumable sessions',
      'yes: 0.171.0 is inside the verified range',
      'yes: Runner is a container',
      'yes: State path is apart from credentials',
    ]))

  it.each([
    ['no: AGENT_SESSION_RESUME is on', {}, false],
    [
      'no: 0.171.0 is inside the verified range',
      { reason: 'Version 9 is outside the verified range (1).' },
      true,
    ],
    ['no: State path is apart from credentials', { reason: 'The mount at x overlaps the state.' }, true],
    ['no: Runner is a container', { runner: 'host', reason: 'Sessions need a container.' }, true],
    [
      'no: Adapter declares resumable sessions',
      { statePath: null, reason: 'This agent CLI cannot resume a session.' },
      true,
    ],
  ] as const)('say what does not hold: %s', (told, part, isOn) => {
    const all = words({ resumable: false, ...part }, isOn)
    expect(all.filter((text) => text.startsWith('no'))).toEqual([told])
  })

  it('of a CLI that is not there are that alone', () => {
    const gone = { version: null, resumable: false, reason: 'Not found.' }
    expect(words(gone)).toEqual(['no: Installed in this image'])
    expect(words({ ...gone, runner: 'host' })).toEqual(['no: Installed on this computer'])
  })
})

it('sessions live nowhere on the host, without a CLI, or where it keeps none', () => {
  expect(keepsSessions(row())).toBe(true)
  for (const part of [{ runner: 'host' }, { version: null }, { statePath: null }] as const)
    expect(keepsSessions(row(part))).toBe(false)
})

describe('the login of an agent', () => {
  it.each([
    ['codex', 'found', 'Signed in', 'text-ok'],
    ['codex', 'missing', 'Not signed in', 'text-bad'],
    ['claude-code', 'expired', 'Expired', 'text-warn'],
    ['api', 'found', 'API key set', 'text-ok'],
    ['api', 'missing', 'No key', 'text-ink-3'],
    ['api', 'unknown', 'unknown', 'text-ink-3'],
  ] as const)('%s, %s: %s', (adapter, loginState, text, tone) => {
    expect(loginLookOf(row({ adapter, loginState }))).toMatchObject({ text, tone })
  })
})

describe('what sessions take on the disk', () => {
  it.each([
    [{ bytes: 184_000_000, issues: 23, isComplete: true }, '184 MB for 23 issues'],
    [{ bytes: 12_300, issues: 1, isComplete: true }, '12 kB for 1 issue'],
    [{ bytes: 5_000_000_000, issues: 500, isComplete: false }, 'more than 5.0 GB for 500 issues'],
    [{ bytes: 0, issues: 0, isComplete: true }, 'nothing yet'],
  ])('%j: %s', (sessions, told) => {
    expect(onDiskWords(sessions)).toBe(told)
  })
})
