import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClaudeCodeAdapter } from '@main/adapters/agents/claude-code/claude-code-adapter'
import type { Clock } from '@main/ports/clock'
import type { RunDetail } from '@shared/contract/runs'
import type { RunId } from '@shared/model/ids'
import type { Script } from '../../fakes/model-server/answers'
import type { LoggedRequest, ModelServer } from '../../fakes/model-server/model-server'
import { containersOfRun, createEngineBench, value, type EngineBench } from './engine-bench'
import { startModelServerForContainers } from './model-server-for-containers'

/*
 * The whole engine with the real Claude Code in real containers; only the model behind it is scripted.
 */

export interface ClaudeBench extends EngineBench {
  readonly model: ModelServer
  /** The file of one session of the issue, on this computer. */
  sessionFile(iid: number, nativeId: string): string
  /** The workspace of the issue, on this computer. */
  workspace(iid: number): string
  /** The run once it waits in the queue for its next attempt. */
  waiting(runId: RunId): Promise<RunDetail>
  /** What people see of an issue once it has this label and nothing waits to be posted. */
  onForge(iid: number, label: string): Promise<OnForge>
  /** The run's containers get SIGKILL, as from somebody else; how many there were. */
  kill(runId: RunId): Promise<number>
}

export interface OnForge {
  readonly labels: readonly string[]
  /** Kinds of Alfred's comments, oldest first. */
  readonly kinds: readonly (string | undefined)[]
  readonly lastComment: string
}

export interface ClaudeBenchOptions {
  readonly script?: Script
  /** How often the CLI itself asks again; its own number makes for long tests. */
  readonly cliRetries?: number
  readonly clock?: Clock
  /** Signed in by this key, which a person gave in the settings, and by nothing else. */
  readonly key?: string
  /** Signed in by nothing: the test does that itself. */
  readonly isSignedOut?: boolean
}

export async function createClaudeBench(options: ClaudeBenchOptions = {}): Promise<ClaudeBench> {
  const environment = {
    ...(options.key === undefined && options.isSignedOut !== true
      ? { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-x' }
      : {}),
    CLAUDE_CODE_MAX_RETRIES: String(options.cliRetries ?? 0),
  }
  if (options.key !== undefined) process.env[keyVariable] = options.key
  const model = await startModelServerForContainers(options.script)
  const bench = await createEngineBench({
    adapter: 'claude-code',
    adapters: [createClaudeCodeAdapter({ environment })],
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  })
  if (options.key === undefined && options.isSignedOut !== true)
    await writeLogin(loginFolder(bench.folder), 'for-the-scripted-model')
  if (options.key !== undefined)
    await bench.setting('AGENT_CREDENTIAL_ENV', ['claude-code=ANTHROPIC_API_KEY'])
  value(
    await bench.client.call('settings', 'set', {
      scope: 'app',
      scopeId: 0,
      key: 'AGENT_IMAGE_CLIS',
      value: ['claude-code'],
    }),
  )
  await bench.setting('AGENT_BASE_URL', model.url)
  return {
    ...bench,
    model,
    sessionFile: (iid, nativeId) =>
      join(bench.stateFolder(iid, 'claude-code'), '-workspace', `${nativeId}.jsonl`),
    workspace: (iid) => join(bench.folder, 'workspaces', `test-${bench.projectId}-issue-${iid}`),
    waiting: (runId) =>
      bench.until(async () => {
        const detail = value(await bench.client.call('runs', 'get', { runId }))
        return detail.row.state === 'queued' && detail.nextAttemptAt !== null ? detail : null
      }),
    async onForge(iid, label) {
      const issue = await bench.until(async () => {
        const now = value(await bench.client.call('tracker', 'getIssue', { projectId: bench.projectId, iid }))
        const { outboxWaiting } = value(await bench.client.call('app', 'status', {}))
        return outboxWaiting === 0 && now.labels.some(({ name }) => name === label) ? now : null
      })
      return {
        labels: issue.labels.map(({ name }) => name),
        kinds: issue.commentList.map(({ body }) => /kind=(\w+)/.exec(body)?.[1]),
        lastComment: issue.commentList.at(-1)?.body ?? '',
      }
    },
    async kill(runId) {
      const { default: Docker } = await import('dockerode')
      const running = (await containersOfRun(bench.client, runId)).filter((container) => container.running)
      for (const { id } of running) await new Docker().getContainer(id).kill({ signal: 'SIGKILL' })
      return running.length
    },
    async remove() {
      delete process.env[keyVariable]
      await bench.remove()
      await model.close()
    },
  }
}

/** Where a secret is given to this computer without its keyring. */
const keyVariable = 'ALFRED_TOKEN_ANTHROPIC_API_KEY'

/** Where Alfred keeps a login of its own for the CLI. */
export const loginFolder = (dataFolder: string): string =>
  join(dataFolder, '.agent-credentials', 'claude-code')

/** A login as the CLI keeps it, good for the scripted model only; the file. */
export async function writeLogin(folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const login = {
    accessToken: `sk-ant-oat01-${name}`,
    refreshToken: `sk-ant-ort01-${name}`,
    expiresAt: Date.now() + 30 * 24 * 3_600_000,
    scopes: ['user:inference', 'user:profile'],
    subscriptionType: 'max',
  }
  const file = join(folder, '.credentials.json')
  await writeFile(file, JSON.stringify({ claudeAiOauth: login }), { mode: 0o600 })
  return file
}

/** Everything that a request told the model, as text. */
export const toldTo = (request: LoggedRequest | undefined): string => JSON.stringify(request?.body ?? null)
