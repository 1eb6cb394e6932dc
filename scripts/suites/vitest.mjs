// Runs vitest projects and counts what they did from the JSON report, never from the text.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runInForeground } from '../setup/commands.mjs'
import { appDir, requireFromApp } from '../setup/places.mjs'
import { nothingTold, tellVitest, withFailures } from './failures.mjs'

/**
 * `{ passed, failed, failures, unsteady }` of these projects, or of their files whose path holds one of `files`. A file that could not be
 * loaded and an error outside of tests count as failed. `stdio` says where its words go.
 */
export async function runVitest(title, projects, env = process.env, files = [], stdio = 'inherit') {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'alfred-test-'))
  const report = path.join(folder, `${title}.json`)
  try {
    const vitest = path.join(path.dirname(requireFromApp.resolve('vitest/package.json')), 'vitest.mjs')
    const args = [
      vitest,
      'run',
      ...projects.flatMap((name) => ['--project', name]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      '--passWithNoTests',
      ...files,
    ]
    const code = await runInForeground(process.execPath, args, { cwd: appDir, env, stdio })
    const told = readJson(report)
    return withFailures(countVitest(told, code), told ? tellVitest(told) : nothingTold, code)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Counts a vitest JSON report; undefined means that there is none. */
export function countVitest(report, exitCode) {
  if (report === undefined) return { passed: 0, failed: 1 }
  const tests = report.testResults.flatMap((file) => file.assertionResults)
  const count = (status) => tests.filter((test) => test.status === status).length
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  const notRun = tests.length - count('passed') - count('failed')
  return withNotRun(
    { passed: count('passed'), failed: count('failed') + brokenFiles.length },
    notRun,
    exitCode,
  )
}

/** In CI nothing may be left out. Elsewhere it is told. An exit code without a failed test is a failure too. */
export function withNotRun({ passed, failed }, notRun, exitCode) {
  // on standard output some commands print their result alone
  if (notRun > 0) console.error(`${notRun} not run${process.env.CI ? ', which counts as failed here' : ''}`)
  const counted = failed + (process.env.CI ? notRun : 0)
  return { passed, failed: counted === 0 && exitCode !== 0 ? 1 : counted }
}

export function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
