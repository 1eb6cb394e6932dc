import { afterEach, expect, it, vi } from 'vitest'
import { countPlaywright } from './e2e.mjs'
import { countVitest } from './vitest.mjs'

const file = (status, ...tests) => ({ status, assertionResults: tests.map((one) => ({ status: one })) })

afterEach(() => vi.unstubAllEnvs())

it('counts passed and failed tests of a vitest report', () => {
  const report = { testResults: [file('failed', 'passed', 'failed'), file('passed', 'passed')] }
  expect(countVitest(report, 1)).toEqual({ passed: 2, failed: 1 })
})

it('counts a test file that could not be loaded as a failure', () => {
  expect(countVitest({ testResults: [file('failed'), file('passed', 'passed')] }, 1)).toEqual({
    passed: 1,
    failed: 1,
  })
})

it('counts a run that broke off without a report as a failure', () => {
  expect(countVitest(undefined, 0)).toEqual({ passed: 0, failed: 1 })
  expect(countPlaywright(undefined, 1)).toEqual({ passed: 0, failed: 1 })
})

it('counts an exit code without a failed test as a failure', () => {
  expect(countVitest({ testResults: [file('passed', 'passed')] }, 1)).toEqual({ passed: 1, failed: 1 })
})

it('counts what was left out as failed in CI only', () => {
  const report = { testResults: [file('passed', 'passed', 'skipped')] }
  vi.stubEnv('CI', '')
  expect(countVitest(report, 0)).toEqual({ passed: 1, failed: 0 })
  vi.stubEnv('CI', 'true')
  expect(countVitest(report, 0)).toEqual({ passed: 1, failed: 1 })
})

it('counts a Playwright test that passed only when repeated as passed, which is judged over all suites', () => {
  vi.stubEnv('CI', '')
  const report = { stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 } }
  expect(countPlaywright(report, 1)).toEqual({ passed: 4, failed: 1 })
})
