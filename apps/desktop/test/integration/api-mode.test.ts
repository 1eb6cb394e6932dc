import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApiAdapter } from '@main/adapters/agents/api/api-adapter'
import { readApiAgent } from '@main/adapters/agents/api/api-program'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import type { RunDetail } from '@shared/contract/runs'
import type { MailboxId } from '@shared/model/ids'
import { say, work, type Answer, type ToolCall } from '../fakes/model-server/answers'
import { anthropicMessages } from '../fakes/model-server/anthropic-messages'
import { openaiChatCompletions } from '../fakes/model-server/openai-chat-completions'
import type { ModelServer } from '../fakes/model-server/model-server'
import { resourcesFolder } from './support/agent-container'
import { createEngineBench, value, type EngineBench } from './support/engine-bench'
import { startModelServerForContainers } from './support/model-server-for-containers'

/*
 * The api mode in real containers of the whole engine: an analysis and an answer without a CLI, beside an agent that
 * remembers; only the model is scripted.
 */

const key = 'key-7f3d1c9a5e8b4d2f6a0c'

let bench: EngineBench
let model: ModelServer
beforeEach(async () => {
  process.env['ALFRED_TOKEN_ANTHROPIC_API_KEY'] = key
  model = await startModelServerForContainers(undefined, [anthropicMessages, openaiChatCompletions])
  const api = createApiAdapter({
    program: await readApiAgent(resourcesFolder),
    environment: { API_AGENT_WAITS_MS: '1' },
  })
  bench = await createEngineBench({ adapters: [createDemoAdapter({ environment: { DEMO_PACE: '0' } }), api] })
  await bench.setting('AGENT_CREDENTIAL_ENV', ['api=ANTHROPIC_API_KEY'])
  await bench.setting('AGENT_BASE_URL', model.url)
  await bench.setting('AGENT_MODEL', 'some-model')
  await bench.setting('MAX_LLM_RETRIES', 0)
})
afterEach(async () => {
  delete process.env['ALFRED_TOKEN_ANTHROPIC_API_KEY']
  await bench.remove()
  await model.close()
})

const call = (name: string, input: ToolCall['input']): ToolCall => ({ kind: 'tool', name, input })
const planned = work(
  [
    call('list_files', {}),
    call('submit_result', { outcome: 'done', functional_analysis: 'The harbour.', plan: 'Paint it.' }),
  ],
  say('never said'),
)

const onForge = (iid: number) =>
  bench.until(async () => {
    const { outboxWaiting } = value(await bench.client.call('app', 'status', {}))
    const issue = value(await bench.client.call('tracker', 'getIssue', { projectId: bench.projectId, iid }))
    return outboxWaiting === 0 && issue.commentList.length > 1 ? issue : null
  })

async function analysisWith(answer: Answer): Promise<RunDetail> {
  model.play(() => answer)
  await bench.setting('AGENT_ADAPTER_ANALYSIS', 'api')
  return bench.latest(await bench.newIssue())
}

async function everyFile(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n')
}

describe('an analysis of the api mode', () => {
  it('reads the code, makes the plan, and has no session; a cost is not known', async () => {
    model.play(planned)
    await bench.setting('AGENT_ADAPTER_ANALYSIS', 'api')
    const mailboxId = await bench.newIssue('The harbour needs paint.')
    const run = await bench.latest(mailboxId)
    expect(run.failure).toBeNull()
    expect(run.row).toMatchObject({
      outcome: 'succeeded',
      adapter: 'api',
      model: 'some-model',
      badge: 'none',
      sessionOffReason: 'adapter_cannot_resume',
      nativeSessionId: null,
      costUsd: null,
      turns: 2,
    })
    const [row] = await bench.sessions(mailboxId)
    expect(row).toMatchObject({
      toolCalls: 2,
      mode: 'none',
      sessionName: null,
      resumed: false,
      inputTokens: 222,
      outputTokens: 14,
    })
    const { commentList, body } = await onForge(1)
    expect(body).toContain('The harbour.')
    expect(commentList.map(({ body: text }) => text).join('\n')).toContain('Paint it.')
    expect(model.turns()[0]?.turn.prompt).toContain('The harbour needs paint.')
    expect(await everyFile(bench.folder)).not.toContain(key)
  })

  it('leaves the memory of another agent as it is, which goes on afterwards', async () => {
    const mailboxId = await bench.newIssue()
    const first = await bench.latest(mailboxId)
    expect(first.row).toMatchObject({ adapter: 'demo', badge: 'no_prior_session' })

    model.play(planned)
    await bench.setting('AGENT_ADAPTER_ANALYSIS', 'api')
    const between = await bench.run(mailboxId, 'analysis')
    expect(between.row).toMatchObject({ outcome: 'succeeded', adapter: 'api', badge: 'none' })
    expect(between.sandbox?.mounts.map(({ target }) => target)).not.toContain('/home/agent/.demo/sessions')

    value(
      await bench.client.call('settings', 'reset', {
        scope: 'project',
        scopeId: bench.projectId,
        key: 'AGENT_ADAPTER_ANALYSIS',
      }),
    )
    const back = await bench.run(mailboxId, 'analysis')
    expect(back.row).toMatchObject({ badge: 'resumed', nativeSessionId: first.row.nativeSessionId })
  })

  it('speaks to any server of the Chat Completions API, with or without a key', async () => {
    await bench.setting('AGENT_PROVIDER', 'openai')
    await bench.setting('AGENT_BASE_URL', `${model.url}/v1`)
    const run = await analysisWith(say('Paint it blue.'))
    expect(run.row).toMatchObject({ outcome: 'succeeded', adapter: 'api', costUsd: null })
    expect((await onForge(1)).commentList.map(({ body }) => body).join('\n')).toContain('Paint it blue.')
    expect(model.turns()[0]?.headers['authorization']).toBeUndefined()
  })
})

describe('a chat of the api mode', () => {
  it('is told in each turn what was said before, as quoted data, and says that this is no memory', async () => {
    model.play(planned)
    await bench.setting('AGENT_ADAPTER_ANALYSIS', 'api')
    const { row } = await bench.latest(await bench.newIssue('The harbour needs paint.'))
    const { client } = bench
    const chat = value(await client.call('chats', 'open', { runId: row.runId }))
    expect(chat).toMatchObject({ isReplay: true, nativeSessionId: null })
    for (const text of ['Why paint?', 'Which colour?']) {
      model.play(work([call('list_files', {})], say(`I answer “${text}”.`)))
      const sent = { threadId: chat.threadId, text, resumeChoice: 'auto' } as const
      const turn = await bench.ended(value(await client.call('chats', 'send', sent)).runId)
      expect(turn.row).toMatchObject({ phase: 'chat', outcome: 'succeeded', mode: 'none' })
      expect(turn.row.sessionOffReason).toBe('adapter_cannot_resume')
    }
    const { turn } = model.turns().at(-1) ?? {}
    for (const line of [
      '> The harbour needs paint.',
      'This is a replay of a transcript and not your memory. Its oldest part may be missing.',
      '> Tool: list_files',
      // what was handed in
      '> You: Paint it.',
      '> The person: Why paint?',
      '> You: I answer “Why paint?”.',
    ])
      expect(turn?.prompt.split('\n')).toContain(line)
    expect(turn?.prompt).not.toContain('> The person: Which colour?')
    expect(turn?.prompt.trimEnd().endsWith('## Message\n\nWhich colour?')).toBe(true)
    // it looks, and hands nothing in
    expect(turn?.tools).toEqual(['list_files', 'search_files', 'read_file'])
    const said = value(await client.call('chats', 'messages', { threadId: chat.threadId, limit: 9 }))
    expect(said.map(({ text }) => text)).toEqual([
      'Why paint?',
      'I answer “Why paint?”.',
      'Which colour?',
      'I answer “Which colour?”.',
    ])
  })
})

describe('where the api mode cannot work', () => {
  it('another phase says which setting to change, before anything is started', async () => {
    model.play(planned)
    await bench.setting('AGENT_ADAPTER', 'api')
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const refused = await bench.client.call('runs', 'request', {
      mailboxId,
      phase: 'development',
      resumeChoice: 'auto',
    })
    expect(refused).toMatchObject({
      ok: false,
      error: {
        type: 'no_agent',
        message: 'api is for analysis and answer only. Name another agent in AGENT_ADAPTER_DEVELOPMENT.',
      },
    })
  })

  it.each<[string, Answer, string, RegExp]>([
    ['fails', { kind: 'status', status: 500 }, 'provider_error', /^The provider answered 500: /],
    ['drops the connection', { kind: 'drop' }, 'provider_error', /cannot be reached|broke off/],
    ['is told too much', { kind: 'context_overflow' }, 'agent_failed', /prompt is too long/],
  ])('a model that %s ends the run and says so', async (_, answer, type, message) => {
    const run = await analysisWith(answer)
    expect(run.row).toMatchObject({ outcome: 'failed', badge: 'none' })
    expect(run.failure).toMatchObject({ type })
    expect(run.failure?.message).toMatch(message)
  })

  it.each<[string, Answer, string]>([
    ['key that is refused', { kind: 'status', status: 401 }, 'login_missing'],
    ['balance that is used up', { kind: 'quota' }, 'account_limit'],
  ])('a %s lets the run wait', async (_, answer, type) => {
    model.play(() => answer)
    await bench.setting('AGENT_ADAPTER_ANALYSIS', 'api')
    const run = await waiting(await bench.newIssue())
    expect(run.failure).toMatchObject({ type })
    expect(run.llmRetries).toBe(0)
  })

  it('a key that is missing lets the run wait, and nobody is asked', async () => {
    delete process.env['ALFRED_TOKEN_ANTHROPIC_API_KEY']
    model.play(planned)
    await bench.setting('AGENT_ADAPTER_ANALYSIS', 'api')
    const run = await waiting(await bench.newIssue())
    expect(run.failure).toMatchObject({ type: 'login_missing', message: 'api is not signed in.' })
    expect(model.requests).toEqual([])
  })
})

const waiting = (mailboxId: MailboxId): Promise<RunDetail> =>
  bench.until(async () => {
    const page = value(
      await bench.client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 1 }),
    )
    const runId = page.rows.at(-1)?.runId
    if (runId === undefined) return null
    const run = value(await bench.client.call('runs', 'get', { runId }))
    return run.row.state === 'queued' && run.failure !== null ? run : null
  })
