// The checks that need no test: each counts as one test in the sum of npm test.
import path from 'node:path'
import { run } from '../setup/commands.mjs'
import { appDir, root } from '../setup/places.mjs'
import { secondsSince } from '../setup/steps.mjs'

const runtimes = ['shared', 'main', 'preload', 'renderer', 'test']

const inRoot = (program, ...args) => ({ program, args, cwd: root })
const inApp = (program, ...args) => ({ program, args, cwd: appDir })

const checks = [
  {
    name: 'format',
    ...inRoot('oxfmt', '--check', '-c', 'apps/desktop/.oxfmtrc.json', 'apps/desktop', 'scripts'),
  },
  {
    name: 'lint of the app',
    ...inApp('oxlint', '--type-aware', '--deny-warnings', '--report-unused-disable-directives'),
  },
  {
    name: 'lint of the scripts',
    ...inApp(
      'oxlint',
      '--deny-warnings',
      '-c',
      path.join(root, 'scripts', '.oxlintrc.json'),
      path.join(root, 'scripts'),
    ),
  },
  ...runtimes.map((runtime) => ({
    name: `types of ${runtime}`,
    ...inApp('tsc', '-p', `tsconfig.${runtime}.json`, '--noEmit'),
  })),
  {
    name: 'dead code',
    ...inRoot('knip', '--no-progress', '--no-config-hints', '-c', 'apps/desktop/knip.json'),
  },
]

/** What a tool can mend by itself: the format, and the lint findings with a safe answer. */
const mending = [
  inRoot('oxfmt', '-c', 'apps/desktop/.oxfmtrc.json', 'apps/desktop', 'scripts'),
  inApp('oxlint', '--type-aware', '--fix', '--quiet'),
  inRoot('oxfmt', '-c', 'apps/desktop/.oxfmtrc.json', 'apps/desktop', 'scripts'),
]

/** Mends before the checks. What is left is told by them. */
export async function mend() {
  for (const { program, args, cwd } of mending) await run(program, args, { cwd })
}

/** Runs all of them, prints what each found, and returns `{ passed, failed }`. */
export async function runChecks() {
  const failures = []
  const env = process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' }
  for (const { name, program, args, cwd } of checks) {
    const startedAt = performance.now()
    const { code, output } = await run(program, args, { cwd, env })
    console.log(`${code === 0 ? '✓' : '✗'} ${name} (${secondsSince(startedAt)})`)
    if (code === 0) continue
    failures.push(`✗ ${name}`)
    console.log(output)
  }
  return { passed: checks.length - failures.length, failed: failures.length, failures, unsteady: [] }
}
