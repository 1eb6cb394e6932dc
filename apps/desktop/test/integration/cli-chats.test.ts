import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createClaudeCodeAdapter } from '@main/adapters/agents/claude-code/claude-code-adapter'
import { createCodexAdapter } from '@main/adapters/agents/codex/codex-adapter'
import { createCopilotAdapter } from '@main/adapters/agents/copilot/copilot-adapter'
import { createGrokBuildAdapter } from '@main/adapters/agents/grok-build/grok-build-adapter'
import { createOpencodeAdapter } from '@main/adapters/agents/opencode/opencode-adapter'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import type { MailboxId, RunId } from '@shared/model/ids'
import { say, type Script, type ToolCall } from '../fakes/model-server/answers'
import { anthropicMessages } from '../fakes/model-server/anthropic-messages'
import { openaiChatCompletions } from '../fakes/model-server/openai-chat-completions'
import { openaiResponses } from '../fakes/model-server/openai-responses'
import { agentImageTag, testRuntime } from './support/agent-container'
import { toldTo } from './support/claude-bench'
import { chatClis, createCliBench, type CliBench, type CliBenchOptions } from './support/cli-bench'
import { value } from './support/engine-bench'
import { filesWith } from './support/files-with'

/*
 * A chat with each real CLI: what the model is told in a turn proves what the agent remembers. The rows run at once,
 * since a CLI waits more than it works.
 */

interface Row {
  readonly adapter: () => AgentAdapter
  readonly options: CliBenchOptions
  /** The tool that runs a command. */
  readonly shell: string
  /** It tells its answer while it is written. */
  readonly tellsPartials?: true
  /** Beside the address and the settings. */
  readonly signIn?: (folder: string) => Promise<void>
  /** Of the address of the model's server, where it is not the usual one. */
  readonly path?: string
}

/** In everything that signs one of them in. */
const secret = 'for-the-scripted-model'

const chatApi = { clis: chatClis, protocols: [openaiChatCompletions] } as const
const ownProvider = { AGENT_PROVIDER: null, AGENT_MODEL: null } as const
const rows: Readonly<Record<string, Row>> = {
  'claude-code': {
    adapter: () =>
      createClaudeCodeAdapter({
        environment: { CLAUDE_CODE_OAUTH_TOKEN: `sk-ant-oat01-${secret}`, CLAUDE_CODE_MAX_RETRIES: '0' },
      }),
    options: { clis: ['claude-code'], protocols: [anthropicMessages], settings: ownProvider },
    path: '',
    shell: 'Bash',
    tellsPartials: true,
    signIn: (folder) =>
      login(folder, 'claude-code/.credentials.json', {
        claudeAiOauth: {
          accessToken: `sk-ant-oat01-${secret}`,
          refreshToken: `sk-ant-ort01-${secret}`,
          expiresAt: Date.now() + 30 * 24 * 3_600_000,
          scopes: ['user:inference', 'user:profile'],
          subscriptionType: 'max',
        },
      }),
  },
  codex: {
    adapter: () =>
      createCodexAdapter({ providerConfiguration: { request_max_retries: 0, stream_max_retries: 0 } }),
    options: { clis: ['codex'], protocols: [openaiResponses], settings: ownProvider },
    // written in the words of this CLI by the scripted model
    shell: 'Bash',
    signIn: (folder) => login(folder, 'codex/auth.json', { OPENAI_API_KEY: `sk-${secret}` }),
  },
  opencode: {
    adapter: () => createOpencodeAdapter(),
    options: { ...chatApi, settings: { AGENT_CREDENTIAL_ENV: ['opencode=OPENAI_API_KEY'] } },
    shell: 'bash',
  },
  copilot: {
    adapter: () => createCopilotAdapter(),
    options: {
      ...chatApi,
      settings: {
        AGENT_PROVIDER: 'openai',
        AGENT_CREDENTIAL_ENV: ['copilot=COPILOT_PROVIDER_API_KEY'],
      },
    },
    shell: 'bash',
    tellsPartials: true,
  },
  'grok-build': {
    adapter: () => createGrokBuildAdapter(),
    options: {
      ...chatApi,
      settings: { AGENT_PROVIDER: 'xai', AGENT_CREDENTIAL_ENV: ['grok-build=XAI_API_KEY'] },
    },
    shell: 'run_terminal_command',
  },
}

beforeAll(async () => {
  for (const name of ['XAI_API_KEY', 'OPENAI_API_KEY', 'COPILOT_PROVIDER_API_KEY'])
    vi.stubEnv(`ALFRED_TOKEN_${name}`, `sk-${secret}`)
  for (const clis of [['claude-code'], ['codex'], chatClis] as const) await agentImageTag(testRuntime(), clis)
})
afterAll(() => void vi.unstubAllEnvs())

async function login(folder: string, file: string, content: unknown): Promise<void> {
  const place = join(folder, '.agent-credentials', file)
  await mkdir(join(place, '..'), { recursive: true, mode: 0o700 })
  await writeFile(place, JSON.stringify(content), { mode: 0o600 })
}

const questions = ['What went wrong?', 'Mend it, please.', 'Is it whole now?']
const answerTo = (question: string): string => `I answer “${question}”.`

/** A run that fails; turns that look at how they were started, and commit in the second; a run that ends well. */
function scriptOf(shell: string): Script {
  const command = (text: string): ToolCall => ({
    kind: 'tool',
    name: shell,
    input: { command: text, description: 'scripted command' },
  })
  const look = command(`for file in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < "$file"; echo; done`)
  const commit = command('echo whole > whole.txt && git add whole.txt && git commit -qm "Add whole.txt"')
  return ({ prompt, tools, toolResults }) => {
    // beside the conversation some CLIs ask for a title
    if (tools.length === 0) return say('a title')
    const question = questions.findLast((text) => prompt.includes(text))
    if (question !== undefined) {
      const calls = question.startsWith('Mend') ? [look, commit] : [look]
      // the last one slowly, so that it can be seen how it is written
      const overMs = question === questions.at(-1) ? 3_000 : 0
      return calls[toolResults] ?? { kind: 'text', text: answerTo(question), overMs }
    }
    if (!prompt.includes('Phase: analysis')) return say('It is done.')
    return [command('echo no JSON > /alfred/out/result.json')][toolResults] ?? say('I made half a plan.')
  }
}

describe('a chat with a real CLI', () => {
  it.concurrent.each(Object.entries(rows))(
    'remembers the failed run and each turn, commits what waits for a click, and is remembered by the next run: %s',
    async (_name, { adapter, options, shell, signIn, tellsPartials = false, path = '/v1' }) => {
      const bench = await createCliBench(adapter(), { ...options, script: scriptOf(shell) })
      try {
        await bench.setting('AGENT_BASE_URL', `${bench.model.url}${path}`)
        await signIn?.(bench.folder)
        await talk(bench, tellsPartials)
        const keys = [`sk-${secret}`, `sk-ant-oat01-${secret}`]
        expect(keys.some((key) => bench.model.sawKey(key))).toBe(true)
        // Database, logs, records, state, workspace, what was mounted and printed: what follows an end is done beside it.
        await bench.until(async () => ((await secretsIn(bench)).length === 0 ? true : null))
      } finally {
        await bench.remove()
      }
    },
    // quiet a minute; OpenCode alone takes many on a computer that does much else
    900_000,
  )
})

async function talk(bench: CliBench, tellsPartials: boolean): Promise<void> {
  const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
  const { row: failed, failure } = await bench.latest(mailboxId)
  expect({ outcome: failed.outcome, failure }).toMatchObject({ outcome: 'result_refused' })
  const chat = value(await bench.client.call('chats', 'open', { runId: failed.runId }))
  expect(chat.nativeSessionId).toBe(failed.nativeSessionId)
  const heard = ['The harbour lights', 'Phase: analysis', 'I made half a plan.']
  let id = failed.nativeSessionId ?? ''
  const partials: string[] = []
  for (const text of questions) {
    const sent = { threadId: chat.threadId, text, resumeChoice: 'auto' } as const
    const { runId } = value(await bench.client.call('chats', 'send', sent))
    const end = await bench.client.follow('runs', 'live', { runId }, ({ partial }) => {
      if (partial !== undefined) partials.push(partial)
    })
    const { row } = await bench.ended(runId)
    end()
    expect(row).toMatchObject({
      phase: 'chat',
      outcome: 'succeeded',
      badge: 'resumed',
      requestedSessionId: id,
    })
    heard.push(text)
    for (const words of heard) expect(lastTold(bench)).toContain(words)
    heard.push(answerTo(text))
    expect(await commandLine(bench, runId)).toContain(id)
    id = row.nativeSessionId ?? ''
  }
  const last = answerTo(questions.at(-1) ?? '')
  expect(partials.some((partial) => last.startsWith(partial))).toBe(tellsPartials)
  const said = value(await bench.client.call('chats', 'messages', { threadId: chat.threadId, limit: 9 }))
  expect(said.map(({ text }) => text)).toEqual(questions.flatMap((text) => [text, answerTo(text)]))

  await pushOnClick(bench, mailboxId)
  const next = await bench.run(mailboxId, 'development')
  expect(next.row).toMatchObject({ outcome: 'succeeded', badge: 'resumed', requestedSessionId: id })
  for (const words of [...heard, 'Phase: development']) expect(lastTold(bench)).toContain(words)
}

/** Files of the data folder that hold what signs the CLI in, but for where a person put it. */
const secretsIn = async ({ folder }: CliBench): Promise<readonly string[]> =>
  (await filesWith(folder, secret)).filter((file) => !file.startsWith(join(folder, '.agent-credentials')))

/** What the model was told last; requests beside the conversation do not count. */
const lastTold = ({ model }: CliBench): string =>
  toldTo(model.turns().findLast(({ turn }) => turn.tools.length > 0))

/** How the container of a turn was started, as its agent sees it. */
async function commandLine({ client }: CliBench, runId: RunId): Promise<string> {
  const asked = { runId, afterSeq: 0, beforeSeq: null, limit: 1000 } as const
  const { events } = value(await client.call('runs', 'events', asked))
  const lines = events.flatMap(({ payload }) => (payload.output ?? '').split('\n'))
  return lines.find((line) => line.includes('/alfred/entry')) ?? `not among ${lines.join('\n')}`
}

/** Until then nothing of the chat is on the forge. */
async function pushOnClick({ client, until }: CliBench, mailboxId: MailboxId): Promise<void> {
  const push = value(await client.call('mailboxes', 'pendingPush', { mailboxId }))
  expect(push).toMatchObject({ commits: 1, patch: expect.stringContaining('whole.txt') as string })
  if (push === null) throw new Error('no push waits')
  const states = async (): Promise<readonly string[]> => {
    const { outbox } = value(await client.call('runs', 'get', { runId: push.runId }))
    return outbox.filter(({ kind }) => kind === 'push').map(({ state }) => state)
  }
  expect(await states()).toEqual(['dropped'])
  value(await client.call('mailboxes', 'approvePush', { mailboxId, headSha: push.headSha }))
  // a run begins with what is on the forge, so it waits for that
  await until(async () => ((await states()).includes('sent') ? true : null))
}
