import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isValidBranchName } from '@main/core/forge/branch-name'

const gitSays = (name: string): boolean =>
  spawnSync('git', ['check-ref-format', '--branch', name], { cwd: '/', env: { PATH: process.env['PATH'] } })
    .status === 0

/** Made of the pieces that the rule is about, so that a small sample meets all of it. */
const pieces = fc.constantFrom(
  'a',
  'B',
  '1',
  '-',
  '.',
  '..',
  '/',
  '//',
  '@',
  '@{',
  '{',
  '~',
  '^',
  ':',
  '?',
  '*',
  '[',
  '\\',
  ' ',
  '.lock',
  'HEAD',
  'ü',
  '😀',
  '\u007f',
  '\u0001',
  '\t',
  '_',
  '"',
  "'",
  '$',
)
const name = fc.array(pieces, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''))

describe('isValidBranchName against git itself', () => {
  it('agrees with git on names of every kind', () => {
    fc.assert(
      fc.property(name, (text) => {
        expect([text, isValidBranchName(text)]).toEqual([text, gitSays(text)])
      }),
      { numRuns: 400 },
    )
  })

  it.each([
    '',
    '@',
    'HEAD',
    '-x',
    'x.',
    '.x',
    'a/.b',
    'x.lock',
    'x.lock/y',
    'a//b',
    '/a',
    'a/',
    'HEAD/x',
    'x/HEAD',
    '@x',
    'x@',
    'refs/heads/x',
  ])('agrees with git on "%s"', (text) => {
    expect(isValidBranchName(text)).toBe(gitSays(text))
  })
})
