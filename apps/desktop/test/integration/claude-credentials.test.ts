import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RunDetail } from '@shared/contract/runs'
import type { RunId } from '@shared/model/ids'
import { bash, say, work, type Script } from '../fakes/model-server/answers'
import { agentImageTag, testRuntime } from './support/agent-container'
import { createClaudeBench, loginFolder, writeLogin, type ClaudeBench } from './support/claude-bench'
import { containersOfRun } from './support/engine-bench'

/*
 * The three ways in which the real Claude Code is signed in: the scripted model sees that it was, by that and nothing
 * else, and what signs it in is found nowhere but where it was given.
 */

const variable = 'ALFRED_TOKEN_ANTHROPIC_API_KEY'
const inContainer = '/home/agent/.claude/.credentials.json'

/** Waits for the test in the midst of its work. What an agent prints of it would be in its memory, like all that it prints. */
const script: Script = work([bash('while [ ! -e /alfred/out/go ]; do sleep 0.1; done')], say('the plan'))

let bench: ClaudeBench
let elsewhere: string
beforeAll(() => agentImageTag(testRuntime(), ['claude-code']))
beforeEach(async () => {
  bench = await createClaudeBench({ script, isSignedOut: true })
  elsewhere = await mkdtemp(join(tmpdir(), 'alfred-login-'))
})
afterEach(async () => {
  delete process.env[variable]
  await bench.remove()
  await rm(elsewhere, { recursive: true, force: true })
})

/** Runs an analysis to its end; what Docker tells of its container meanwhile, but for the environment. */
async function analyse(): Promise<{ readonly run: RunDetail; readonly container: string }> {
  const mailboxId = await bench.newIssue()
  const runId = await bench.until<RunId>(async () => {
    const page = await bench.client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 1 })
    return page.ok ? (page.value.rows.at(-1)?.runId ?? null) : null
  })
  await bench.model.until(({ turn }) => turn !== null)
  const [made] = await containersOfRun(bench.client, runId)
  const [told] = JSON.parse(execFileSync('docker', ['inspect', made?.id ?? ''], { encoding: 'utf8' }))
  const live = await bench.runIn(runId, 'running')
  execFileSync('touch', [join(live.folder, 'out', '1-1', 'go')])
  const run = await bench.ended(runId)
  expect(run.row.outcome).toBe('succeeded')
  // What follows the end is done beside it: logs are redacted last.
  await bench.until(async () => ((await containersOfRun(bench.client, runId)).length === 0 ? true : null))
  return { run, container: JSON.stringify({ ...told, Config: { ...told.Config, Env: [] } }) }
}

/** Files of the data folder that hold it: state, workspace, logs, database, records. */
async function filesWith(text: string): Promise<readonly string[]> {
  const entries = await readdir(bench.folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const content = await readFile(path).catch(() => null)
    if (content?.includes(text) === true) found.push(relative(bench.folder, path))
  }
  return found
}

async function expectNowhere(secret: string, { run, container }: Awaited<ReturnType<typeof analyse>>) {
  expect(bench.model.sawKey(secret)).toBe(true)
  expect(container).not.toContain(secret)
  expect(JSON.stringify(run)).not.toContain(secret)
  const state = await readdir(bench.stateFolder(1, 'claude-code'), { recursive: true })
  expect(state.some((name) => name.endsWith('.jsonl'))).toBe(true)
}

describe('claude-code is signed in', () => {
  it("by Alfred's own folder, and nothing of it is anywhere else", async () => {
    const file = await writeLogin(loginFolder(bench.folder), 'own-Q7vN2xKp9LdR')
    const done = await analyse()
    expect(done.run.sandbox?.credentials).toMatch(/\.credentials\.json \(read-only\): the agent can read/)
    await expectNowhere('sk-ant-oat01-own-Q7vN2xKp9LdR', done)
    await bench.until(async () =>
      (await filesWith('own-Q7vN2xKp9LdR')).join() === relative(bench.folder, file) ? true : null,
    )
  })

  it('by a file of this computer that is mounted, and nothing of it is in the data folder', async () => {
    const file = await writeLogin(elsewhere, 'mounted-H3bYt8ZcV1mQ')
    await chmod(elsewhere, 0o755)
    await chmod(file, 0o644)
    await bench.setting('AGENT_CREDENTIAL_MOUNTS', [`claude-code=${file}:${inContainer}`])
    const done = await analyse()
    expect(done.run.sandbox?.credentials).toContain(`${file} (read-only): the agent can read`)
    await expectNowhere('sk-ant-oat01-mounted-H3bYt8ZcV1mQ', done)
    await bench.until(async () => ((await filesWith('mounted-H3bYt8ZcV1mQ')).length === 0 ? true : null))
  })

  it('by its environment, and nothing of it is in the data folder', async () => {
    process.env[variable] = 'sk-ant-api03-environment-W5nGf0RkE7pT'
    await bench.setting('AGENT_CREDENTIAL_ENV', ['claude-code=ANTHROPIC_API_KEY'])
    const done = await analyse()
    expect(done.run.sandbox?.credentials).toContain('$ANTHROPIC_API_KEY: the agent can read')
    await expectNowhere('sk-ant-api03-environment-W5nGf0RkE7pT', done)
    await bench.until(async () => ((await filesWith('environment-W5nGf0RkE7pT')).length === 0 ? true : null))
  })
})
