import { describe, expect, it } from 'vitest'
import type { InstallationRow } from '@shared/contract/app'
import { groupInstallations, installationKey } from './group-installations'

const row = (part: Partial<InstallationRow>): InstallationRow => ({
  adapter: 'demo',
  runner: 'container',
  imageTag: 'alfred/agent:1',
  imageDigest: 'sha256:1',
  version: '1.0.0',
  resumable: true,
  reason: null,
  projectReasons: [],
  verifiedRange: null,
  pinLine: null,
  statePath: null,
  loginState: 'not_needed',
  loginEndsAt: null,
  loginSource: null,
  loginMounts: 0,
  loginProof: null,
  projectLogins: [],
  detectedAt: 0,
  ...part,
})

describe('installations', () => {
  const rows = [
    row({ runner: 'host', imageTag: null, imageDigest: null }),
    row({}),
    row({ imageTag: 'ci:21', imageDigest: 'sha256:2' }),
    row({ adapter: 'codex' }),
  ]

  it('stand by image, this computer last', () => {
    expect(groupInstallations(rows).map((group) => [group.imageTag, group.rows.length])).toEqual([
      ['alfred/agent:1', 2],
      ['ci:21', 1],
      [null, 1],
    ])
  })

  it('begin with the CLIs that somebody chose: the api mode is everywhere', () => {
    const [group] = groupInstallations([row({ adapter: 'api' }), row({}), row({ adapter: 'codex' })])
    expect(group?.rows.map(({ adapter }) => adapter)).toEqual(['demo', 'codex', 'api'])
  })

  it('have a key of their own each', () => {
    expect(new Set(rows.map(installationKey)).size).toBe(rows.length)
  })

  it('are none when nothing is installed', () => {
    expect(groupInstallations([])).toEqual([])
  })
})
