import { describe, expect, it } from 'vitest'
import { imageCliSchema } from '@shared/model/words'
import { cliPackages, pinLine } from './image-clis'
import { resumeVersions } from './resume-versions'
import { isInRanges } from './version-range'

describe('the line that pins a CLI', () => {
  it.each(imageCliSchema.options)('installs a verified version of %s, and nothing else', (cli) => {
    const { name, version } = cliPackages[cli]
    expect(pinLine(cli)).toBe(`RUN npm install --global ${name}@${version}`)
    expect(isInRanges(version, resumeVersions[cli])).toBe(true)
  })

  it('is none for an agent without a package', () => {
    expect(pinLine('demo')).toBeNull()
    expect(pinLine('api')).toBeNull()
  })
})
