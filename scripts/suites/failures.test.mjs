import path from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { appDir } from '../setup/places.mjs'
import { tellPlaywright, tellVitest, withFailures } from './failures.mjs'

afterEach(() => vi.unstubAllEnvs())

const files = [
  {
    name: path.join(appDir, 'test/integration/a.test.ts'),
    status: 'failed',
    assertionResults: [
      { status: 'passed', fullName: 'works' },
      { status: 'failed', fullName: 'breaks', failureMessages: ['\u001B[31mexpected 1\u001B[39m\nto be 2'] },
      { status: 'skipped', fullName: 'rests' },
    ],
  },
  {
    name: path.join(appDir, 'src/b.test.ts'),
    status: 'failed',
    message: 'no such module',
    assertionResults: [],
  },
]

it('names each failed test of vitest with the first lines of its message', () => {
  vi.stubEnv('CI', '')
  expect(tellVitest({ testResults: files }).failures).toEqual([
    '✗ test/integration/a.test.ts > breaks\n    expected 1\n    to be 2',
    '✗ src/b.test.ts > the file itself\n    no such module',
  ])
})

it('names what was left out in CI, where that fails', () => {
  vi.stubEnv('CI', 'true')
  expect(tellVitest({ testResults: files }).failures).toContain(
    '✗ test/integration/a.test.ts > rests\n    not run',
  )
})

it('names failed and repeated tests of Playwright, however deep they stand', () => {
  vi.stubEnv('CI', '')
  const spec = (title, status, message) => ({
    file: 'demo.spec.ts',
    title,
    tests: [{ status, results: [{ error: message ? { message } : undefined }] }],
  })
  const inner = { specs: [spec('breaks', 'unexpected', 'gone'), spec('rests', 'skipped')] }
  const report = { suites: [{ specs: [spec('works', 'expected')], suites: [inner] }], errors: [] }
  expect(tellPlaywright(report).failures).toEqual(['✗ demo.spec.ts > breaks\n    gone'])
})

it('names a spec of Playwright that does not load', () => {
  const report = { suites: [], errors: [{ message: 'no such module', location: { file: '/a/b.spec.ts' } }] }
  expect(tellPlaywright(report).failures).toEqual(['✗ /a/b.spec.ts > the file itself\n    no such module'])
})

it('says that a suite failed outside of its tests', () => {
  const told = (failed, failures) =>
    withFailures({ passed: 2, failed }, { failures, unsteady: [] }, failed).failures
  expect(told(1, [])).toEqual([expect.stringContaining('code 1')])
  expect(told(1, ['✗ a'])).toEqual(['✗ a'])
  expect(told(0, [])).toEqual([])
})

it('names what passed only when it was repeated, with what went wrong before', () => {
  const again = { status: 'passed', fullName: 'wavers', failureMessages: ['too late'] }
  const file = { name: path.join(appDir, 'a.test.ts'), status: 'passed', assertionResults: [again] }
  expect(tellVitest({ testResults: [file] })).toEqual({
    failures: [],
    unsteady: ['✗ a.test.ts > wavers\n    too late'],
  })
  const results = [{ error: { message: 'too late' } }, {}]
  const spec = { file: 'a.spec.ts', title: 'wavers', tests: [{ status: 'flaky', results }] }
  expect(tellPlaywright({ suites: [{ specs: [spec] }] })).toEqual({
    failures: [],
    unsteady: ['✗ a.spec.ts > wavers\n    too late'],
  })
})
