// Runs Playwright against the real app on a display of its own, and counts from its JSON report.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { findProgram, runInForeground } from '../setup/commands.mjs'
import { startXvfb } from '../setup/display.mjs'
import { appDir, requireFromApp } from '../setup/places.mjs'
import { nothingTold, tellPlaywright, withFailures } from './failures.mjs'
import { readJson, withNotRun } from './vitest.mjs'

export const e2eNeeds = { electron: true, docker: true, testDisplay: true, build: true }

/** `ready` is what set-up returned. Gives `{ passed, failed, failures, unsteady }`. */
export async function runE2e({ electron, env }, args = []) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'alfred-e2e-'))
  const report = path.join(folder, 'report.json')
  const xvfb = process.platform === 'linux' && findProgram('Xvfb') ? await startXvfb() : undefined
  try {
    const playwright = path.join(
      path.dirname(requireFromApp.resolve('@playwright/test/package.json')),
      'cli.js',
    )
    const code = await runInForeground(
      process.execPath,
      [playwright, 'test', '--reporter=list,json', ...args],
      {
        cwd: appDir,
        env: {
          ...env,
          ...(xvfb ? { DISPLAY: xvfb.display, WAYLAND_DISPLAY: '' } : {}),
          ALFRED_E2E_ELECTRON: electron.executable,
          // the driver finds the runtime by this, and then holds the app's start until it is there to drive it
          ELECTRON_OVERRIDE_DIST_PATH: electron.dist,
          ALFRED_E2E_ELECTRON_KIND: electron.kind,
          PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        },
      },
    )
    const told = readJson(report)
    return withFailures(countPlaywright(told, code), told ? tellPlaywright(told) : nothingTold, code)
  } finally {
    xvfb?.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Counts a Playwright JSON report; undefined means that there is none. */
export function countPlaywright(report, exitCode) {
  if (report === undefined) return { passed: 0, failed: 1 }
  const { expected, unexpected, flaky, skipped } = report.stats
  return withNotRun({ passed: expected + flaky, failed: unexpected }, skipped, exitCode)
}
