import { describe, expect, it } from 'vitest'
import type { InstallationRow } from '@shared/contract/app'
import {
  checkedWords,
  conditionsOf,
  doesNotStart,
  imageUseWords,
  isUnverified,
  keepsSessions,
  noticeWords,
  onDiskWords,
  pinnedVersion,
  resumeWords,
} from './installation-words'

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
  pinLine: null,
  statePath: '/home/agent/.codex/sessions',
  loginState: 'found',
  loginEndsAt: null,
  loginSource: null,
  loginMounts: 0,
  loginProof: null,
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

  // The reasons as the engine sends them.
  it.each<readonly [string, Partial<InstallationRow>, boolean]>([
    [
      'no: AGENT_SESSION_RESUME is on',
      { reason: 'AGENT_SESSION_RESUME is off, so runs start fresh.' },
      false,
    ],
    [
      'no: AGENT_SESSION_RESUME is on',
      { projectReasons: ['In harbour/pier: AGENT_SESSION_RESUME is off, so runs start fresh.'] },
      true,
    ],
    [
      'no: 0.171.0 is inside the verified range',
      {
        reason:
          'Version 0.171.0 is outside the verified range (0.99.0 to 0.170.0), so every run starts fresh.',
      },
      true,
    ],
    [
      'no: State path is apart from credentials',
      {
        reason: 'The credential mount at /home/agent/.codex overlaps the session state, so runs start fresh.',
        projectReasons: ['In harbour/pier: AGENT_SESSION_RESUME is off, so runs start fresh.'],
      },
      true,
    ],
    ['no: Runner is a container', { runner: 'host', reason: 'Sessions need a container.' }, true],
    [
      'no: Adapter declares resumable sessions',
      { statePath: null, reason: 'This agent CLI cannot resume a session.' },
      true,
    ],
  ])('say what does not hold: %s', (told, part, isOn) => {
    const all = words({ resumable: false, ...part }, isOn)
    expect(all.filter((text) => text.startsWith('no'))).toEqual([told])
  })

  it('all hold where every project turns on what is off for the app', () => {
    const projectReasons = ['In harbour/pier: sessions are resumed.']
    expect(words({ projectReasons }, false).filter((text) => text.startsWith('no'))).toEqual([])
  })

  it('of a CLI that is not there are that alone', () => {
    const gone = { version: null, resumable: false, reason: 'Not found.' }
    expect(words(gone)).toEqual(['no: Installed in this image'])
    expect(words({ ...gone, runner: 'host' })).toEqual(['no: Installed on this computer'])
  })
})

describe('the words beside Yes and No', () => {
  const off = 'AGENT_SESSION_RESUME is off, so runs start fresh.'
  it.each([
    [{}, 'all conditions hold'],
    [{ reason: off }, off],
    [{ projectReasons: [`In harbour/pier: ${off}`] }, `In harbour/pier: ${off}`],
    [
      { reason: off, projectReasons: ['In harbour/pier: sessions are resumed.'] },
      `${off} In harbour/pier: sessions are resumed.`,
    ],
  ])('%j: %s', (part, told) => {
    expect(resumeWords(row(part))).toBe(told)
  })
})

it('sessions live nowhere on the host, without a CLI, or where it keeps none', () => {
  expect(keepsSessions(row())).toBe(true)
  for (const part of [{ runner: 'host' }, { version: null }, { statePath: null }] as const)
    expect(keepsSessions(row(part))).toBe(false)
})

describe('a version that does not start', () => {
  const old = {
    adapter: 'copilot',
    version: '1.0.99',
    resumable: false,
    reason: 'Version 1.0.99 does not start: 1.0.100 or newer is needed.',
    verifiedRange: '1.0.102',
  } as const
  const line = 'RUN npm install --global @github/copilot@1.0.102'

  it('is never said to work', () => {
    expect(doesNotStart(row(old))).toBe(true)
    expect(isUnverified(row(old))).toBe(false)
    expect(noticeWords(row(old))).toBe(`${old.reason} Runs with it fail. Update copilot in the image.`)
    expect(noticeWords(row({ ...old, pinLine: line }))).toBe(
      `${old.reason} Runs with it fail. Pin 1.0.102 in the image, or build an image with copilot.`,
    )
    expect(words(old)).toContain('no: 1.0.99 is inside the verified range')
  })

  it('is none that starts every run fresh', () => {
    const fresh = {
      ...old,
      reason: 'Version 1.0.101 is outside the verified range (1.0.102), so every run starts fresh.',
    }
    expect(doesNotStart(row(fresh))).toBe(false)
    expect(noticeWords(row(fresh))).toBe(
      'It works, but nobody has proven that it can resume. Verified: 1.0.102.',
    )
    expect(noticeWords(row({ ...fresh, pinLine: line }))).toMatch(
      /It works.* or pin 1\.0\.102 in the image\.$/,
    )
  })
})

describe('a version that nobody has tried', () => {
  const reason = 'Version 9.0.0 is outside the verified range (0.99.0), so every run starts fresh.'
  it.each([
    ['in an image', { resumable: false, reason }, true],
    ['that resumes all the same', { reason }, false],
    ['whose resume is switched off', { resumable: false, reason: 'AGENT_SESSION_RESUME is off.' }, false],
    ['on the host', { resumable: false, reason, runner: 'host' }, false],
  ] as const)('%s: %#', (_, part, expected) => expect(isUnverified(row(part))).toBe(expected))

  it('is pinned by its line', () =>
    expect(pinnedVersion('RUN npm install --global @openai/codex@0.171.0')).toBe('0.171.0'))
})

it('a check of one is told in a sentence', () => {
  const place = 'in alfred-agent:1'
  expect(checkedWords(row(), place)).toBe('codex 0.171.0 in alfred-agent:1: can resume')
  expect(checkedWords(row({ resumable: false, reason: 'Switched off.' }), place)).toBe(
    'codex 0.171.0 in alfred-agent:1: cannot resume. Switched off.',
  )
  expect(checkedWords(row({ version: null }), place)).toBe('codex is not in alfred-agent:1.')
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

it.each([
  [
    { base: 'node:24-bookworm-slim', projects: 4, sizeBytes: 1_900_000_000 },
    'on node:24-bookworm-slim · used by 4 projects · 1.9 GB',
  ],
  [{ base: 'collected', projects: 1, sizeBytes: 211_000_000 }, 'used by 1 project · 211 MB'],
  [{ base: 'java:21', projects: 0, sizeBytes: null }, 'on java:21 · used by no project · unknown'],
  [{ base: 'unknown', projects: null, sizeBytes: 5_000 }, '5.0 kB'],
])('an image %j: %s', (image, told) => {
  expect(imageUseWords(image)).toBe(told)
})
