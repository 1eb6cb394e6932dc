import { describe, expect, it } from 'vitest'
import { createCodexAdapter } from '@main/adapters/agents/codex/codex-adapter'
import { createCopilotAdapter } from '@main/adapters/agents/copilot/copilot-adapter'
import { imageCliSchema } from '@shared/model/words'
import { cliPackages } from './image-clis'
import { installationCapability } from './installation-capability'
import { isTooOld, lowestVersions } from './lowest-versions'
import { resumeVersions } from './resume-versions'

describe('a version that refuses how it is started', () => {
  it.each([
    ['1.0.99', true],
    ['0.9.0', true],
    ['1.0.100', false],
    ['1.0.102', false],
    ['1.1', false],
    ['unknown', false],
  ])('%s: %s', (version, expected) => expect(isTooOld(version, '1.0.100')).toBe(expected))

  it('is none where no lowest one is known', () => expect(isTooOld('0.0.1', undefined)).toBe(false))

  it.each(imageCliSchema.options)('is none of those that are installed or resumed: %s', (cli) => {
    const used = [cliPackages[cli].version, ...resumeVersions[cli].map(({ from }) => from)]
    for (const version of used) expect(isTooOld(version, lowestVersions[cli])).toBe(false)
  })

  it.each([
    ['1.0.99', 'Version 1.0.99 does not start: 1.0.100 or newer is needed.'],
    ['1.0.101', 'Version 1.0.101 is outside the verified range (1.0.102), so every run starts fresh.'],
  ])('is not said to start every run fresh: %s', (version, reason) => {
    const facts = { ...createCopilotAdapter(), runner: 'container', version } as const
    expect(installationCapability(facts)).toEqual({ resumable: false, reason })
  })

  it('is told on the host too, and of no other CLI', () => {
    expect(
      installationCapability({ ...createCopilotAdapter(), runner: 'host', version: '1.0.99' }).reason,
    ).toMatch(/does not start/)
    expect(
      installationCapability({ ...createCodexAdapter(), runner: 'container', version: '0.1.0' }).reason,
    ).toMatch(/starts fresh/)
  })
})
