import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import { createEngineBench, removeFolder, type EngineBench } from '../integration/support/engine-bench'
import { copyFolder, createTwin } from './container-twin'
import { againstRival, alone, median, type BenchRow } from './figures'
import { inspectRunContainer, untilContainersGone } from './run-containers'

/*
 * What Alfred adds to a run in which the agent works for five seconds, from the request to the accepted commit. The
 * rival is a script that does the same steps with the same words to the same agent, on copies of the same folders.
 */

const rounds = 3
export const agentWorksMs = 5_000
/** Of the demo agent's work on a development that it remembers the analysis of. */
const demoSteps = 8

const run = promisify(execFile)

export async function benchDemoOverhead(app: string): Promise<readonly BenchRow[]> {
  const environment = { DEMO_PACE: String(Math.round(agentWorksMs / demoSteps)) }
  const bench = await createEngineBench({ adapters: [createDemoAdapter({ environment })] })
  return measureOverhead('demo agent', bench, 'demo', app)
}

/** Ends the bench. `adapter` names the folder of its session memory. */
export async function measureOverhead(
  agent: string,
  bench: EngineBench,
  adapter: string,
  app: string,
): Promise<readonly BenchRow[]> {
  const ours: number[] = []
  const rival: number[] = []
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const taken = await oneRound(bench, adapter, app)
      // the first round warms the disk cache
      if (round === 0) continue
      ours.push(taken.ours)
      rival.push(taken.rival)
    }
  } finally {
    await bench.remove()
  }
  const name = `overhead of a run, ${agent} working 5 s`
  return [
    againstRival(name, median(ours), median(rival), 'ms', 1.1),
    alone(`${name}: time added`, median(ours) - median(rival), 'ms', 300),
  ]
}

async function oneRound(
  bench: EngineBench,
  adapter: string,
  app: string,
): Promise<{ readonly ours: number; readonly rival: number }> {
  const mailboxId = await bench.newIssue()
  const analysis = await bench.latest(mailboxId)
  await untilContainersGone(bench, analysis.row.runId)
  await pause(1_000)
  const before = join(bench.folder, 'bench', `before-${analysis.mailboxIid}`)
  await mkdir(before, { recursive: true })
  await copyFolder(bench.stateFolder(analysis.mailboxIid, adapter), join(before, 'state'))
  await copyFolder(repositoryOf(bench, analysis.mailboxIid), join(before, 'repo.git'))

  const begin = performance.now()
  const runId = await bench.request(mailboxId, 'development')
  const inspecting = inspectRunContainer(bench, runId)
  const ended = await bench.ended(runId)
  const ours = performance.now() - begin
  if (ended.row.outcome !== 'succeeded' || ended.commits !== 1) {
    throw new Error(`the run ended ${ended.row.outcome} with ${ended.commits} commits`)
  }
  const original = await inspecting
  await untilContainersGone(bench, runId)
  await pause(1_000)

  const folder = join(bench.folder, 'bench', `rival-${analysis.mailboxIid}`)
  const twin = await createTwin(original, {
    folder,
    repository: join(before, 'repo.git'),
    state: join(before, 'state'),
  })
  const { ALFRED_BRANCH: branch = '', ALFRED_BASE: base = '' } = twin.environment
  const scripts = join(app, 'test', 'bench', 'script-rival')
  const inside = await readFile(join(scripts, 'inside.sh'), 'utf8')
  // the original's first two words are the entry, which the script does without
  const words = twin.words(['/bin/sh', '-c', inside, 'sh', ...twin.argv.slice(2)])
  const rivalBegin = performance.now()
  await run('sh', [join(scripts, 'run.sh'), folder, branch, base, ...words])
  const rival = performance.now() - rivalBegin
  await run('git', ['-C', join(folder, 'repo.git'), 'rev-parse', '--verify', '-q', `refs/heads/${branch}`])
  await run('docker', ['rm', '-f', twin.name])
  await removeFolder(folder)
  return { ours, rival }
}

const repositoryOf = ({ folder, projectId }: EngineBench, iid: number): string =>
  join(folder, 'repositories', `test-${projectId}-issue-${iid}.git`)
