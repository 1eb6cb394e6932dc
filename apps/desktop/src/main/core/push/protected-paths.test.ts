import { describe, expect, it } from 'vitest'
import { settingDefinitions } from '@shared/model/settings'
import { protectedPaths } from './protected-paths'

const globs = settingDefinitions.PUSH_NEEDS_PERSON.fallback
const touch = (...paths: string[]) =>
  protectedPaths(
    paths.map((path) => ({ path, oldPath: null })),
    globs,
  )

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

  it('counts both names of a rename', () => {
    expect(protectedPaths([{ path: 'ci.yml', oldPath: '.gitlab-ci.yml' }], globs)).toEqual(['.gitlab-ci.yml'])
  })

  it('takes special characters of a glob as they are', () => {
    expect(protectedPaths([{ path: 'axb', oldPath: null }], ['a.b'])).toEqual([])
    expect(protectedPaths([{ path: 'deep/er/x.secret', oldPath: null }], ['**/*.secret'])).toEqual([
      'deep/er/x.secret',
    ])
    expect(protectedPaths([{ path: 'x.secret', oldPath: null }], ['**/*.secret'])).toEqual(['x.secret'])
  })
})
