import { expect, it } from 'vitest'
import { cliPackages } from '@main/core/agents/image-clis'
import { isInRanges } from '@main/core/agents/version-range'
import { clisUnderTest, versionsOf } from './clis-under-test'

it.each(clisUnderTest)(
  '$id is run at both ends of the range in which it is resumed, and nowhere else',
  (cli) => {
    const ranges = cli.create().resumeVersions
    const tested = versionsOf(cli).map(({ version }) => version)
    for (const { from, to } of ranges) expect(tested).toEqual(expect.arrayContaining([from, to]))
    for (const version of tested) expect(isInRanges(version, ranges)).toBe(true)
    expect(tested[0]).toBe(cliPackages[cli.id].version)
  },
)
