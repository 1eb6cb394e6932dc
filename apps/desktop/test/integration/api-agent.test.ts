import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApiAdapter } from '@main/adapters/agents/api/api-adapter'
import type { AgentEvent } from '@main/ports/agent-adapter'
import { inOrder, say, work, type Answer, type Script, type ToolCall } from '../fakes/model-server/answers'
import { anthropicMessages } from '../fakes/model-server/anthropic-messages'
import { startModelServer, type ModelServer } from '../fakes/model-server/model-server'
import { openaiChatCompletions } from '../fakes/model-server/openai-chat-completions'

/*
 * The program of the api mode with both providers: what it asks a model, what it lets it see, and what it says when the
 * model's server does not answer as it should. Its lines are read as the product reads them.
 */

const program = join(import.meta.dirname, '../../resources/api-agent/alfred-api-agent.mjs')
const adapter = createApiAdapter({ program: {} })
const key = 'key-that-nobody-may-see'

const providers = [
  ['anthropic', anthropicMessages, 'ANTHROPIC_API_KEY', ''],
  ['openai', openaiChatCompletions, 'OPENAI_API_KEY', '/v1'],
] as const

let folder: string
let model: ModelServer
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-api-'))
  await mkdir(join(folder, 'workspace/src'), { recursive: true })
  await mkdir(join(folder, 'workspace/.git'))
  await mkdir(join(folder, 'out'))
  await writeFile(join(folder, 'secret.txt'), 'outside')
  await symlink(join(folder, 'secret.txt'), join(folder, 'workspace/link.txt'))
  await writeFile(join(folder, 'workspace/src/lamp.js'), 'one\nlight the LAMP\nthree\n')
  await writeFile(join(folder, 'workspace/.git/config'), 'the lamp of git')
  model = await startModelServer({ protocols: providers.map(([, protocol]) => protocol) })
})
afterEach(async () => {
  await model.close()
  await rm(folder, { recursive: true, force: true })
})

interface Ended {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly events: readonly AgentEvent[]
  readonly failure: ReturnType<typeof adapter.providerFailure>
}

interface Run {
  readonly provider?: string
  readonly phase?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly address?: string | null
}

function run({
  provider = 'anthropic',
  phase = 'analysis',
  environment = {},
  address = model.url,
}: Run = {}) {
  const [, , keyName = 'ANTHROPIC_API_KEY', path = ''] = providers.find(([name]) => name === provider) ?? []
  const child = spawn(
    process.execPath,
    [program, `--provider=${provider}`, '--model=some-model', `--phase=${phase}`],
    {
      cwd: join(folder, 'workspace'),
      env: {
        [keyName]: key,
        ALFRED_OUT_FOLDER: join(folder, 'out'),
        API_AGENT_WAITS_MS: '1,1',
        ...(address === null ? {} : { API_AGENT_BASE_URL: `${address}${path}` }),
        ...environment,
      },
    },
  )
  child.stdin.end('Phase: analysis\nThe lamps go out at noon.\n')
  return new Promise<Ended>((resolve, reject) => {
    const said = { stdout: '', stderr: '' }
    child.stdout.on('data', (part: Buffer) => (said.stdout += part.toString()))
    child.stderr.on('data', (part: Buffer) => (said.stderr += part.toString()))
    child.on('error', reject)
    child.on('close', (exitCode) => {
      const parser = adapter.createParser()
      const events = said.stdout.split('\n').flatMap((line) => parser.parse(line))
      const tails = { stdoutTail: said.stdout.slice(-16_384), stderrTail: said.stderr }
      const failure = adapter.providerFailure({ exitCode, ...tails, sawSession: null, result: null })
      resolve({ exitCode, ...said, events, failure })
    })
  })
}

const call = (name: string, input: ToolCall['input']): ToolCall => ({ kind: 'tool', name, input })
const result = async (): Promise<unknown> =>
  JSON.parse(await readFile(join(folder, 'out/result.json'), 'utf8'))
const outputs = (events: readonly AgentEvent[]): readonly (readonly [boolean, string])[] =>
  events.flatMap((event) => (event.kind === 'tool_result' ? [[event.failed, event.output] as const] : []))
const play = (...answers: readonly [Answer, ...Answer[]]): void => model.play(inOrder(...answers))

describe.each(providers)('the api mode with %s', (provider) => {
  it('looks at the code as the model asks, and hands in the result that it submits', async () => {
    const looks = [
      call('list_files', {}),
      call('search_files', { text: 'lamp' }),
      call('read_file', { path: 'src/lamp.js', from_line: 2, lines: 1 }),
      call('submit_result', {
        outcome: 'done',
        plan: 'The plan.',
        functional_analysis: 'What.',
        summary: 'S.',
      }),
    ]
    model.play(work(looks, say('never said')))
    const { exitCode, events, stdout, stderr } = await run({ provider })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(outputs(events)).toEqual([
      [false, 'src/lamp.js'],
      [false, 'src/lamp.js:2: light the LAMP'],
      [false, 'light the LAMP'],
      [false, 'taken'],
    ])
    expect(await result()).toEqual({
      version: 1,
      phase: 'analysis',
      outcome: 'done',
      plan: 'The plan.',
      functional_analysis: 'What.',
      summary: 'S.',
    })
    expect(events.at(-1)).toEqual({ kind: 'result', succeeded: true, text: 'The plan.', deniedTools: [] })
    // Sums of the four calls; a price is told by nobody.
    const used = events.findLast((event) => event.kind === 'usage')
    const input = provider === 'anthropic' ? 4 * 111 : 4 * 101
    expect(used).toMatchObject({
      inputTokens: input,
      cachedTokens: 80,
      outputTokens: 28,
      costUsd: null,
      turns: 4,
    })
    const [first, ...others] = model.turns()
    expect(others).toHaveLength(3)
    expect(first?.turn).toMatchObject({ model: 'some-model', number: 1 })
    expect(first?.turn.prompt).toContain('The lamps go out at noon.')
    expect(JSON.stringify(others.at(-1)?.body)).toContain('light the LAMP')
    expect(JSON.stringify(model.requests) + stdout).not.toContain(key)
    const { headers = {} } = first ?? {}
    expect(headers[provider === 'anthropic' ? 'x-api-key' : 'authorization']).toBe('[key]')
  })

  it('takes the last words for the answer where nothing is submitted', async () => {
    play(say('It is so.'))
    const { exitCode, events } = await run({ provider, phase: 'answer' })
    expect(exitCode).toBe(0)
    expect(events.at(-1)).toMatchObject({ kind: 'result', succeeded: true, text: 'It is so.' })
    await expect(result()).rejects.toThrow('ENOENT')
  })

  it.each<[string, Answer, string, RegExp]>([
    ['a key that is refused', { kind: 'status', status: 401 }, 'login', /^The provider answered 401: /],
    ['a key that may not', { kind: 'status', status: 403 }, 'login', /^The provider answered 403: /],
    ['a model that is unknown', { kind: 'status', status: 404 }, 'other', /^The provider answered 404: /],
    ['too much for the model', { kind: 'context_overflow' }, 'other', /too long|maximum context length/],
    ['no money left', { kind: 'quota' }, 'account_limit', /credit balance|exceeded your current quota/],
    [
      'a wait that is longer than a call may take',
      { kind: 'status', status: 429, retryAfterSeconds: 90 },
      'retryable',
      /^The provider answered 429: /,
    ],
  ])('says at once what %s means', async (_, answer, type, message) => {
    play(answer)
    const { exitCode, events, failure } = await run({ provider })
    expect(exitCode).toBe(1)
    expect(failure).toMatchObject({ type })
    expect(failure?.message).toMatch(message)
    expect(events.at(-1)).toMatchObject({ kind: 'result', succeeded: false })
    expect(model.turns()).toHaveLength(1)
  })

  it.each<[string, Answer, RegExp]>([
    ['too many requests', { kind: 'status', status: 429 }, /^The provider answered 429: /],
    ['a server that fails', { kind: 'status', status: 500 }, /^The provider answered 500: /],
    ['a connection that drops', { kind: 'drop' }, /cannot be reached|broke off/],
    ['a server that is too busy', { kind: 'cut' }, /^The provider answered 529: /],
  ])('asks twice more after %s, and then says so', async (_, answer, message) => {
    play(answer)
    const { exitCode, events, failure } = await run({ provider })
    expect(exitCode).toBe(1)
    expect(failure).toMatchObject({ type: 'retryable' })
    expect(failure?.message).toMatch(message)
    expect(events.filter(({ kind }) => kind === 'retry')).toHaveLength(2)
    expect(model.turns()).toHaveLength(3)
  })

  it('goes on where it was after a failure that passed', async () => {
    play(call('list_files', {}), { kind: 'status', status: 429, retryAfterSeconds: 0 }, say('Done.'))
    const { exitCode, events } = await run({ provider })
    expect(exitCode).toBe(0)
    expect(events.map(({ kind }) => kind)).toEqual([
      'usage',
      'tool',
      'tool_result',
      'retry',
      'usage',
      'text',
      'result',
    ])
  })

  it('waits no longer than it may for an answer that does not come', async () => {
    play({ kind: 'hang', after: 'nothing' })
    const { exitCode, failure } = await run({ provider, environment: { API_AGENT_CALL_MS: '300' } })
    expect(exitCode).toBe(1)
    expect(failure).toMatchObject({ type: 'retryable', message: 'No answer within 0.3 seconds.' })
  })
})

describe('the api mode', () => {
  it('shows nothing outside of the working directory, and nothing of git', async () => {
    const paths = [
      '../secret.txt',
      'link.txt',
      '/proc/self/environ',
      '/etc/passwd',
      '\0',
      'nothing.txt',
      'src',
    ]
    const looks = paths.map((path) => call('read_file', { path }))
    model.play(work([...looks, call('search_files', { text: 'outside' }), call('other', {})], say('Done.')))
    const { events, stdout } = await run()
    expect(outputs(events)).toEqual([
      [true, '../secret.txt is outside of the working directory'],
      [true, 'link.txt is outside of the working directory'],
      [true, '/proc/self/environ is outside of the working directory'],
      [true, '/etc/passwd is outside of the working directory'],
      [true, 'the path is no text'],
      [true, 'there is no nothing.txt'],
      [true, 'src is no file'],
      [false, '(not found)'],
      [true, 'there is no tool other'],
    ])
    expect(stdout).not.toContain(key)
  })

  it('says to the model what its result lacks, and takes the next one', async () => {
    const results = [
      call('submit_result', { outcome: 'done', summary: 'no plan' }),
      call('submit_result', { outcome: 'questions' }),
      call('submit_result', { outcome: 'great' }),
      call('submit_result', { outcome: 'questions', questions: ['Which lamp?'] }),
    ]
    model.play(work(results, say('never said')))
    const { exitCode, events } = await run()
    expect(exitCode).toBe(0)
    expect(outputs(events).map(([, output]) => output)).toEqual([
      'plan is missing',
      'questions are missing',
      'outcome must be done, questions or nothing',
      'taken',
    ])
    expect(await result()).toMatchObject({ outcome: 'questions', questions: ['Which lamp?'] })
  })

  it('ends after eighty answers without a result, of which the last one is asked to give it', async () => {
    const script: Script = () => call('list_files', {})
    model.play(script)
    const { exitCode, failure } = await run()
    expect(exitCode).toBe(1)
    expect(failure).toMatchObject({ type: 'other', message: 'No result after 80 answers of the model.' })
    const asked = model.turns().map(({ body }) => (body as { readonly tool_choice?: unknown }).tool_choice)
    expect(asked).toHaveLength(80)
    expect(asked.filter((choice) => choice !== undefined)).toEqual([{ type: 'tool', name: 'submit_result' }])
    expect(asked.at(-1)).toBeDefined()
  })

  it.each(providers)(
    'lets a chat look eighty times at most, of which the last one must answer: %s',
    async (provider) => {
      model.play(() => call('list_files', {}))
      await run({ provider, phase: 'chat' })
      const asked = model.turns().map(({ body }) => (body as { readonly tool_choice?: unknown }).tool_choice)
      const none = provider === 'anthropic' ? { type: 'none' } : 'none'
      expect(asked.filter((choice) => choice !== undefined)).toEqual([none])
      expect(asked.at(-1)).toEqual(none)
      model.play(() => say('Blue.'))
      const { events } = await run({ provider, phase: 'chat' })
      expect(events.at(-1)).toMatchObject({ kind: 'result', succeeded: true, text: 'Blue.' })
    },
  )

  it('reads what goes along with a message, and nothing else beside it', async () => {
    const input = join(folder, 'in')
    await mkdir(input)
    await writeFile(join(input, 'attachment-1-note.txt'), 'It is noon.')
    await writeFile(join(input, 'prompt'), 'the prompt')
    await symlink(join(folder, 'secret.txt'), join(input, 'attachment-2-link'))
    const names = ['attachment-1-note.txt', 'prompt', 'attachment-2-link']
    model.play(
      work(
        names.map((name) => call('read_file', { path: join(input, name) })),
        say('Noon.'),
      ),
    )
    // the data may lie behind a link
    await symlink(folder, `${folder}-link`)
    const given = join(`${folder}-link`, 'in')
    const { events } = await run({ phase: 'chat', environment: { ALFRED_IN_FOLDER: given } })
    await rm(`${folder}-link`)
    const [note, ...others] = outputs(events)
    expect(note).toEqual([false, 'It is noon.'])
    expect(others.map(([failed]) => failed)).toEqual([true, true])
  })

  it('says what is missing before anybody is asked', async () => {
    const none = await run({ address: null, environment: { ANTHROPIC_API_KEY: '' } })
    expect(none.failure).toMatchObject({ type: 'login' })
    const other = await run({ phase: 'development' })
    expect(other).toMatchObject({ exitCode: 2, stderr: 'error: --phase must be analysis, answer or chat\n' })
    expect(model.requests).toEqual([])
  })
})
