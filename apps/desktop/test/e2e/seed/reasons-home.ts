import { createMatrixBench } from '../../integration/support/matrix-bench'
import { replayedCli } from '../../integration/support/replayed-clis'

/*
 * A program of its own: `node reasons-home.js FOLDER` makes a data folder with one issue whose runs began in every way
 * in which a session can begin, each by the engine itself.
 */

const [, , dataFolder = ''] = process.argv
const bench = await createMatrixBench(['demo', 'fake'], dataFolder)
const issue = await bench.newIssue('demo')
const { fallbacks, ambiguous } = replayedCli('demo')

const run = (choice: 'auto' | 'fresh' = 'auto') => bench.run(issue, 'development', choice)
await run()
for (const reason of ['state_missing', 'unsupported_version', 'refused'] as const) {
  bench.play(issue, { resumed: fallbacks[reason] })
  await run()
}
bench.play(issue, { resumed: ambiguous })
await run()
bench.play(issue, {})
await run('fresh')
await bench.setting(issue, 'project', 'AGENT_ADAPTER', 'fake')
await run()
await bench.setting(issue, 'project', 'AGENT_ADAPTER', 'demo')
await run()
await bench.setting(issue, 'organization', 'AGENT_SESSION_RESUME', false)
await run()
await bench.stop()
