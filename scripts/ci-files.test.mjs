import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from './setup/places.mjs'

const files = ['.github/workflows/ci.yml', '.gitlab-ci.yml', '.forgejo/workflows/ci.yml']

it.each(files)(
  '%s calls the one script, says what must be there first, and keeps the screenshots',
  (file) => {
    const text = fs.readFileSync(path.join(root, file), 'utf8')
    expect(text).toContain('bash .ci/run')
    expect(text).toContain('What must be there first')
    expect(text).toContain('apps/desktop/test-results')
  },
)

it('the one script is npm test, in which nothing may be left out', () => {
  const script = fs.readFileSync(path.join(root, '.ci/run'), 'utf8')
  expect(script).toMatch(/^export CI=true$/m)
  expect(script).toMatch(/^exec npm test$/m)
})
