import { bash, say, work } from '../fakes/model-server/answers'
import { createClaudeBench } from '../integration/support/claude-bench'
import type { BenchRow } from './figures'
import { agentWorksMs, measureOverhead } from './run-overhead'

const command = `sleep ${agentWorksMs / 1000}; echo done > work.txt; git add work.txt; git commit -qm Work`

/** The real CLI against a scripted model: the plan first, then a command that takes its time and commits. */
export async function benchClaudeOverhead(app: string): Promise<readonly BenchRow[]> {
  const develop = work([bash(command)], say('Done.'))
  const bench = await createClaudeBench({
    script: (turn) => (turn.number === 1 ? say('The plan: one file.') : develop(turn)),
  })
  return measureOverhead('real claude', bench, 'claude-code', app)
}
