import { describe, expect, it } from 'vitest'
import { settingDefinitions } from '@shared/model/settings'
import { protectedPaths } from './protected-paths'

const globs = settingDefinitions.PUSH_NEEDS_PERSON.fallback
const touch = (...paths: string[]) => protectedPaths(paths, globs)

describe('paths that a push may not touch by itself', () => {
  it.each([
    '.github/workflows/ci.yml',
    '.gitlab-ci.yml',
    '.woodpecker.yml',
    '.woodpecker/deploy.yml',
    '.forgejo/x',
    '.GitHub/workflows/ci.yml',
  ])('covers %s', (path) => expect(touch(path)).toEqual([path]))

  it.each(['src/index.ts', 'docs/.github.md', 'sub/.gitlab-ci.yml', 'github/workflows/ci.yml'])(
    'lets %s through',
    (path) => expect(touch(path)).toEqual([]),
  )

  it('takes special characters of a glob as they are', () => {
    expect(protectedPaths(['axb'], ['a.b'])).toEqual([])
    expect(protectedPaths(['deep/er/x.secret', 'x.secret', 'x'], ['**/*.secret'])).toEqual([
      'deep/er/x.secret',
      'x.secret',
    ])
  })
})
