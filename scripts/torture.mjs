// npm run torture: kills the engine at random moments of its work, many times, and looks whether anything was lost or
// done twice. The same seed kills at the same moments.
import { parseArgs } from 'node:util'
import { onToolingNode } from './setup/node.mjs'
import { setUp } from './setup/set-up.mjs'
import { endWith, StepError } from './setup/steps.mjs'
import { refuseUnknown, usageOnHelp } from './setup/usage.mjs'
import { runVitest } from './suites/vitest.mjs'

usageOnHelp(`
npm run torture [-- --kills N --seed N]

Kills the engine at random moments of its work and looks whether anything was lost or done twice.

  --kills N   how often (500)
  --seed N    kill at the moments of an earlier run, which printed it
  --help      show this and start nothing
`)
await onToolingNode(import.meta.url)
try {
  refuseUnknown(process.argv.slice(2), ['--kills', '--seed'])
  const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } })
  const kills = wholeNumber('--kills', values.kills ?? '500', 1)
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber('--seed', values.seed, 0)
  const ready = await setUp({ docker: true })
  const env = { ...ready.env, ALFRED_TORTURE_KILLS: String(kills), ALFRED_TORTURE_SEED: String(seed) }
  const { passed, failed } = await runVitest('torture', ['integration'], env, ['run-killed-at-random'])
  console.log(`${kills} kills, seed ${seed}: ${passed} workloads passed, ${failed} failed`)
  process.exit(failed === 0 && passed > 0 ? 0 : 1)
} catch (error) {
  endWith(error)
}

function wholeNumber(name, text, least) {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= least) return number
  throw new StepError(`${name} ${text} is no whole number`, `give one from ${least} on`)
}
