import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { settingDefinitions } from '@shared/model/settings'
import { branchName, slugOf } from './branch-name'

/** Git's rule for a branch name (`git check-ref-format --branch`), for what this module can make. */
function isValidReference(name: string): boolean {
  const parts = name.split('/')
  return (
    !name.startsWith('-') &&
    name !== '@' &&
    // oxlint-disable-next-line no-control-regex -- control characters are what git refuses
    !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\.$|\/$|^\//.test(name) &&
    parts.every((part) => part !== '' && !part.startsWith('.') && !part.toLowerCase().endsWith('.lock'))
  )
}

const hostileTitles = [
  '',
  '   ',
  '🚀🔥',
  'اصلاح خطأ تسجيل الدخول',
  'תיקון כניסה',
  `"quoted" 'single' \`ticks\``,
  '..',
  'a..b',
  'file.lock',
  '.lock',
  'a/b\\c//d',
  '@{-1}',
  '-rf --no-verify',
  'HEAD',
  'x'.repeat(300),
  'word '.repeat(60),
  '\u0000\u001b[31mred\u202e',
  '\ud800 lone surrogate',
  'İstanbul ILIK ı',
]

describe('branchName', () => {
  test.each([
    ['Fix login on Safari', 'agent/issue-7-fix-login-on-safari'],
    ['Straße in Åre, Łódź & Þingvellir', 'agent/issue-7-strasse-in-are-lodz-and-thingvellir'],
    ['Crème brûlée: ﬁne', 'agent/issue-7-creme-brulee-fine'],
    ["Don't lose the user’s draft", 'agent/issue-7-dont-lose-the-users-draft'],
    ['🚀🔥', 'agent/issue-7'],
    ['', 'agent/issue-7'],
    ['@{-1} a..b/c.lock', 'agent/issue-7-1-a-b-c-lock'],
    [
      'The timeline shows the wrong letter after cleanup',
      'agent/issue-7-the-timeline-shows-the-wrong-letter',
    ],
    ['x'.repeat(300), `agent/issue-7-${'x'.repeat(40)}`],
  ])('names the branch of "%s"', (title, name) => {
    expect(branchName({ prefix: 'agent/', iid: 7, title })).toBe(name)
  })

  test('cuts exactly between two words when the fortieth character ends one', () => {
    expect(slugOf(`${'a'.repeat(40)} more`)).toBe('a'.repeat(40))
    expect(slugOf(`${'a'.repeat(20)} ${'b'.repeat(19)} more`)).toBe(`${'a'.repeat(20)}-${'b'.repeat(19)}`)
  })

  test('repairs a prefix whose folders git or Windows would refuse', () => {
    expect(branchName({ prefix: 'a.lock/', iid: 1, title: 'x' })).toBe('a-lock/issue-1-x')
    expect(branchName({ prefix: 'aux/', iid: 1, title: 'x' })).toBe('aux-/issue-1-x')
  })

  test('is accepted by git itself for every hostile title', () => {
    for (const title of hostileTitles) {
      const name = branchName({ prefix: 'agent/', iid: 12, title })
      expect(() => execFileSync('git', ['check-ref-format', `refs/heads/${name}`])).not.toThrow()
    }
  })

  const title = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.constantFrom(...hostileTitles),
  )
  const prefix = fc
    .stringMatching(/^(?:[A-Za-z0-9][A-Za-z0-9_-]{0,8}(?:\.(?:lock|[A-Za-z0-9_-]{1,4}))?\/){0,3}[a-z]{0,4}$/)
    .filter((value) => settingDefinitions.BRANCH_PREFIX.schema.safeParse(value).success)

  test('is valid, stable, keeps the iid and a slug of at most 40 safe characters, whatever the title', () => {
    fc.assert(
      fc.property(prefix, fc.integer({ min: 1, max: 1_000_000_000 }), title, (p, iid, t) => {
        const name = branchName({ prefix: p, iid, title: t })
        const last = name.slice(name.lastIndexOf('/') + 1)
        expect(isValidReference(name)).toBe(true)
        expect(name).toBe(branchName({ prefix: p, iid, title: t }))
        expect(last).toMatch(new RegExp(`issue-${iid}(?:-[a-z0-9]+)*$`))
        expect(slugOf(t).length).toBeLessThanOrEqual(40)
        expect(slugOf(t)).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/)
      }),
    )
  })
})
