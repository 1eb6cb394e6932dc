import { describe, expect, it } from 'vitest'
import { isValidBranchName } from './branch-name'

describe('isValidBranchName', () => {
  it.each(['main', 'agent/issue-3-fix-the-build', 'v1.0', 'a@b', '@a', '@', 'ü/😀', 'a.lock.b', 'head'])(
    'takes %s',
    (name) => {
      expect(isValidBranchName(name)).toBe(true)
    },
  )

  it.each([
    '',
    'HEAD',
    '-d',
    'a..b',
    '.a',
    'a/.b',
    'a.',
    'a.lock',
    'a.lock/b',
    '/a',
    'a/',
    'a//b',
    'a b',
    'a\tb',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a\\b',
    '@{-1}',
    'a\u007f',
  ])('refuses "%s"', (name) => {
    expect(isValidBranchName(name)).toBe(false)
  })
})
