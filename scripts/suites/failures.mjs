// What failed, in a few lines each: printed last, where whoever reads only the end of a log finds it.
import { stripVTControlCharacters } from 'node:util'
import path from 'node:path'
import { appDir } from '../setup/places.mjs'

const longestMessage = 600
const mostLines = 8

/** A suite that failed without a test of its own that did says at least so. */
export function withFailures(counted, { failures, unsteady }, exitCode) {
  if (counted.failed === 0 || failures.length > 0) return { ...counted, failures, unsteady }
  return {
    ...counted,
    failures: [`✗ ended with exit code ${exitCode}, outside of its tests; see above`],
    unsteady,
  }
}

export const nothingTold = { failures: [], unsteady: [] }

/** What a vitest JSON report has to say beside its numbers. */
export const tellVitest = (report) => ({ failures: vitestFailures(report), unsteady: vitestUnsteady(report) })

/** The same of a Playwright JSON report. */
export const tellPlaywright = (report) => ({
  failures: playwrightFailures(report),
  unsteady: playwrightTests(report, ({ status }) => status === 'flaky'),
})

/** Tests that passed when they were repeated, each with what went wrong before. */
function vitestUnsteady(report) {
  return report.testResults.flatMap((file) =>
    file.assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && (failureMessages?.length ?? 0) > 0)
      .map((test) => failure(path.relative(appDir, file.name), test.fullName, test.failureMessages[0])),
  )
}

/** The tests of a vitest JSON report that failed, and its files that could not be loaded; in CI also what was left out. */
function vitestFailures(report) {
  return report.testResults.flatMap((file) => {
    const name = path.relative(appDir, file.name)
    const told = file.assertionResults.filter(({ status }) => status === 'failed' || isLeftOut(status))
    if (told.length === 0 && file.status === 'failed') return [failure(name, 'the file itself', file.message)]
    return told.map((test) => failure(name, test.fullName, test.failureMessages?.[0]))
  })
}

/** Of Playwright, in whose report suites stand within suites. */
function playwrightFailures(report) {
  const unread = (report.errors ?? []).map(({ location, message }) =>
    failure(location?.file ?? 'Playwright', 'the file itself', message),
  )
  const failed = ({ status }) => status === 'unexpected' || isLeftOut(status)
  return [...unread, ...playwrightTests(report, failed)]
}

function playwrightTests(report, isMeant) {
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
  return (report.suites ?? [])
    .flatMap(specsOf)
    .flatMap((spec) => spec.tests.filter(isMeant).map((test) => ({ spec, test })))
    .map(({ spec, test }) => {
      const message = test.results.map(({ error }) => error?.message).find((text) => text !== undefined)
      return failure(spec.file, spec.title, message)
    })
}

const isLeftOut = (status) =>
  Boolean(process.env.CI) && ['skipped', 'pending', 'todo', 'disabled'].includes(status)

function failure(file, test, message = 'not run') {
  const lines = stripVTControlCharacters(message).slice(0, longestMessage).split('\n').slice(0, mostLines)
  return [`✗ ${file} > ${test}`, ...lines.map((line) => `    ${line}`.trimEnd())].join('\n')
}
