// What failed, in a few lines each: printed last, where whoever reads only the end of a log finds it.
import { stripVTControlCharacters } from 'node:util'
import path from 'node:path'
import { appDir } from '../setup/places.mjs'

const longestMessage = 600
const mostLines = 8

/** A suite that failed without a test of its own that did says at least so. */
export function withFailures(counted, failures, exitCode) {
  if (counted.failed === 0 || failures.length > 0) return { ...counted, failures }
  return { ...counted, failures: [`✗ ended with exit code ${exitCode}, outside of its tests; see above`] }
}

/** The tests of a vitest JSON report that failed, and its files that could not be loaded; in CI also what was left out. */
export function vitestFailures(report) {
  return report.testResults.flatMap((file) => {
    const name = path.relative(appDir, file.name)
    const told = file.assertionResults.filter(({ status }) => status === 'failed' || isLeftOut(status))
    if (told.length === 0 && file.status === 'failed') return [failure(name, 'the file itself', file.message)]
    return told.map((test) => failure(name, test.fullName, test.failureMessages?.[0]))
  })
}

/** The same of a Playwright JSON report, in which suites stand within suites. */
export function playwrightFailures(report) {
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
  const unread = (report.errors ?? []).map(({ location, message }) =>
    failure(location?.file ?? 'Playwright', 'the file itself', message),
  )
  const failed = (report.suites ?? [])
    .flatMap(specsOf)
    .flatMap((spec) => spec.tests.map((test) => ({ spec, test })))
    .filter(({ test }) => ['unexpected', 'flaky'].includes(test.status) || isLeftOut(test.status))
    .map(({ spec, test }) => {
      const message = test.results.map(({ error }) => error?.message).find((text) => text !== undefined)
      return failure(spec.file, spec.title, message)
    })
  return [...unread, ...failed]
}

const isLeftOut = (status) =>
  Boolean(process.env.CI) && ['skipped', 'pending', 'todo', 'disabled'].includes(status)

function failure(file, test, message = 'not run') {
  const lines = stripVTControlCharacters(message).slice(0, longestMessage).split('\n').slice(0, mostLines)
  return [`✗ ${file} > ${test}`, ...lines.map((line) => `    ${line}`.trimEnd())].join('\n')
}
