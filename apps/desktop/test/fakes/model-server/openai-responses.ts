import { randomUUID } from 'node:crypto'
import type http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { ToolCall, Turn } from './answers'
import { fails, firstWords, sendFailure, type Failure, type Spoken } from './openai-failures'
import { sendJson, type Protocol } from './protocol'

/*
 * The Responses API of OpenAI: `POST …/responses`, always streamed, and the list of models that its clients ask for.
 */

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() })
const toolSchema = z.looseObject({ type: z.string().optional(), name: z.string().optional() })
const itemSchema = z.looseObject({
  type: z.string().default('message'),
  role: z.string().optional(),
  content: z.union([z.string(), z.array(partSchema)]).nullish(),
  tools: z
    .array(toolSchema.extend({ tools: z.array(toolSchema).optional() }))
    .optional()
    .catch(undefined),
})
const requestSchema = z.object({
  model: z.string().default('unknown'),
  input: z.union([z.string(), z.array(itemSchema)]).default([]),
  tools: z.array(toolSchema).nullish(),
})
type ResponsesRequest = z.infer<typeof requestSchema>

const parse = (body: unknown): ResponsesRequest => requestSchema.parse(body ?? {})
const isModelList = (path: string): boolean => path.endsWith('/models')

export const openaiResponses: Protocol = {
  accepts: (method, path) =>
    (method === 'POST' && path.endsWith('/responses')) || (method === 'GET' && isModelList(path)),
  turnOf: (path, body) => (isModelList(path) ? null : turnOf(parse(body))),
  reply: async ({ body, turn, script, response }) => {
    if (turn === null) return sendJson(response, 200, { object: 'list', data: [], models: [] })
    const request = parse(body)
    const answer = script(turn)
    // Too long is told in the stream, once it has begun.
    if (fails(answer) && answer.kind !== 'context_overflow') return sendFailure(response, answer)
    if (answer.kind === 'hang' && answer.after === 'nothing') return
    return stream(response, request, turn, answer)
  },
}

/** What a client says in the person's name: where it works, and what the project tells every agent. */
const besideTheWords = /^<(?:environment_context|user_instructions|turn_aborted|permissions)|^# AGENTS\.md/

function turnOf({ input, model, tools }: ResponsesRequest): Turn {
  const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input
  let number = 0
  let prompt = ''
  let toolResults = 0
  for (const { type, role, content } of items) {
    if (type.endsWith('_output')) toolResults += 1
    if (type !== 'message' || role !== 'user') continue
    const words = textOf(content)
    if (words.trim() === '' || besideTheWords.test(words)) continue
    number += 1
    prompt = words.trim()
    toolResults = 0
  }
  return { number, prompt, toolResults, model, tools: toolNames({ input, tools }) }
}

function textOf(content: string | readonly z.infer<typeof partSchema>[] | null | undefined): string {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text }) => text ?? '').join('\n')
}

/** Tools stand beside the conversation, or in it, where some are parts of a bundle. */
function toolNames({ input, tools }: Pick<ResponsesRequest, 'input' | 'tools'>): readonly string[] {
  const inInput = typeof input === 'string' ? [] : input.flatMap((item) => item.tools ?? [])
  const all = [...(tools ?? []), ...inInput.flatMap((tool) => [tool, ...(tool.tools ?? [])])]
  return all.map(({ name, type }) => name ?? type ?? '')
}

const idOf = (kind: string): string => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 24)}`

const usageOf = ({ number }: Turn) => ({
  input_tokens: 120 + number,
  input_tokens_details: { cached_tokens: 20 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 127 + number,
})

interface Item {
  readonly type: string
  readonly id: string
}

const messageItem = (text: string): Item & { readonly text: string } => ({
  type: 'message',
  id: idOf('msg'),
  text,
})

const toWire = ({ text, ...item }: ReturnType<typeof messageItem>, status: string) => ({
  ...item,
  role: 'assistant',
  status,
  content: status === 'completed' ? [{ type: 'output_text', text, annotations: [] }] : [],
})

/** A scripted command goes to whatever the client has for commands. */
function callItem({ name, input }: ToolCall, request: ResponsesRequest): object {
  const offered = toolNames(request)
  const call = { call_id: idOf('call'), status: 'completed' }
  const asFunction = (tool: string, value: unknown): object => ({
    type: 'function_call',
    id: idOf('fc'),
    name: tool,
    arguments: JSON.stringify(value),
    ...call,
  })
  const command = name === 'Bash' && typeof input['command'] === 'string' ? input['command'] : null
  if (command === null) return asFunction(name, input)
  if (offered.includes('exec_command')) return asFunction('exec_command', { cmd: command })
  if (offered.includes('shell_command')) return asFunction('shell_command', { command })
  if (offered.includes('shell')) return asFunction('shell', { command: ['bash', '-lc', command] })
  if (!offered.includes('exec')) throw new Error(`no tool for a command among ${offered.join(', ')}`)
  return {
    type: 'custom_tool_call',
    id: idOf('ctc'),
    name: 'exec',
    ...namespaceOf(request),
    input: `const r = await tools.exec_command({cmd: ${JSON.stringify(command)}}); text(r.output ?? JSON.stringify(r));`,
    ...call,
  }
}

/** The bundle that holds the tool `exec`, where it is part of one. */
function namespaceOf({ input }: ResponsesRequest): { readonly namespace?: string } {
  const bundles = typeof input === 'string' ? [] : input.flatMap((item) => item.tools ?? [])
  const found = bundles.find(({ tools }) => tools?.some(({ name }) => name === 'exec') === true)?.name
  return found === undefined ? {} : { namespace: found }
}

type Streamed = Spoken | Extract<Failure, { kind: 'context_overflow' }>

async function stream(
  response: http.ServerResponse,
  request: ResponsesRequest,
  turn: Turn,
  answer: Streamed,
): Promise<void> {
  let sequence = 0
  const tell = (type: string, value: object): void => {
    const event = { type, sequence_number: (sequence += 1), ...value }
    response.write(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  const id = idOf('resp')
  const of = (status: string, more: object = {}) => ({
    response: { id, object: 'response', created_at: 1, status, model: request.model, error: null, ...more },
  })
  const fail = (code: string, message: string): void => {
    tell('response.failed', of('failed', { output: [], error: { code, message } }))
    response.end()
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  tell('response.created', of('in_progress', { output: [] }))
  if (answer.kind === 'context_overflow')
    return fail('context_length_exceeded', 'Your input exceeds the context window of this model.')

  const output: object[] = []
  const words = answer.kind === 'text' || answer.kind === 'tool' ? answer.text : firstWords
  if (words !== undefined) {
    const item = messageItem(words)
    const at = { item_id: item.id, output_index: 0, content_index: 0 }
    tell('response.output_item.added', { output_index: 0, item: toWire(item, 'in_progress') })
    const overMs = answer.kind === 'text' ? (answer.overMs ?? 0) : 0
    const parts = overMs > 0 ? words.split(/(?<= )/) : [words]
    for (const delta of parts) {
      if (response.destroyed) return
      tell('response.output_text.delta', { ...at, delta })
      if (overMs > 0) await sleep(overMs / parts.length)
    }
    if (answer.kind === 'hang') return
    if (answer.kind === 'drop') {
      // The first words get out before the connection goes.
      await sleep(150)
      response.destroy()
      return
    }
    if (answer.kind === 'cut') return fail('server_error', 'The server had an error.')
    output.push(toWire(item, 'completed'))
    tell('response.output_item.done', { output_index: 0, item: output[0] })
  }
  if (answer.kind === 'tool') {
    const item = callItem(answer, request)
    tell('response.output_item.added', { output_index: output.length, item })
    tell('response.output_item.done', { output_index: output.length, item })
    output.push(item)
  }
  tell('response.completed', of('completed', { output, usage: usageOf(turn) }))
  response.end()
}
