// npm test: every check and every test, and at the end one line over all of it. `npm test -- unit e2e` runs only these.
import { onToolingNode } from './setup/node.mjs'
import { setUp } from './setup/set-up.mjs'
import { endWith, say, secondsSince } from './setup/steps.mjs'
import { chooseSuites, usageOnHelp } from './setup/usage.mjs'
import { runChecks } from './suites/checks.mjs'
import { judgeUnsteady } from './suites/unsteady.mjs'
import { e2eNeeds, runE2e } from './suites/e2e.mjs'
import { testClis } from './suites/clis.mjs'
import { runVitest } from './suites/vitest.mjs'

const suites = [
  { name: 'check', run: () => runChecks() },
  { name: 'unit', run: () => runVitest('unit', ['unit', 'db', 'scripts']) },
  { name: 'integration', run: (ready) => runVitest('integration', ['integration', 'contract'], ready.env) },
  { name: 'e2e', run: (ready) => runE2e(ready) },
  // Fetches gigabytes of CLIs, so elsewhere than in CI it is for whoever asks for it.
  { name: 'clis', run: (ready) => testClis(ready), isForCi: true },
]

usageOnHelp(`
npm test [-- SUITE...]

Runs every check and every test, or only the suites named: ${suites.map(({ name }) => name).join(', ')}.
The suite clis (npm run test:clis) is part of it in CI, and elsewhere when it is named.

  --help    show this and start nothing
`)
await onToolingNode(import.meta.url)
try {
  const chosen = chooseSuites(suites, process.argv.slice(2))
  const ready = await setUp(e2eNeeds)
  const { passed, failed } = await runAll(chosen, ready)
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 && passed > 0 ? 0 : 1)
} catch (error) {
  endWith(error)
}

async function runAll(chosen, ready) {
  const rows = []
  for (const suite of chosen) {
    console.log(`\n=== ${suite.name} ===`)
    const startedAt = performance.now()
    const result = await runSuite(suite, ready)
    rows.push(
      `${suite.name.padEnd(12)} ${String(result.passed).padStart(5)} passed ${String(result.failed).padStart(4)} failed  ${secondsSince(startedAt)}`,
    )
    suite.result = result
  }
  const told = (key) =>
    chosen.flatMap(({ name, result }) => result[key].map((text) => `${name} ${text}`)).join('\n')
  const sum = (key) => chosen.reduce((total, { result }) => total + result[key], 0)
  const counted = judgeUnsteady({
    passed: sum('passed'),
    failed: sum('failed'),
    unsteady: chosen.flatMap(({ result }) => result.unsteady).length,
  })
  if (told('unsteady') !== '')
    console.log(`\nPassed only when repeated; ${counted.verdict}:\n${told('unsteady')}`)
  if (told('failures') !== '') console.log(`\n${told('failures')}`)
  console.log(`\n${rows.join('\n')}\n`)
  return counted
}

/** A suite that breaks off is one failure, and the next ones still run. */
async function runSuite(suite, ready) {
  try {
    return await suite.run(ready)
  } catch (error) {
    const text = error?.stack ?? String(error)
    say(text)
    return { passed: 0, failed: 1, failures: [`✗ ${text}`], unsteady: [] }
  }
}
