import { randomUUID } from 'node:crypto'
import type http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Answer, FailureStatus, ToolCall, Turn } from './answers'
import { sendJson, type Protocol } from './protocol'

/*
 * The Anthropic Messages API: `POST /v1/messages`, streamed and whole, and the counting of tokens.
 */

const blockSchema = z.looseObject({ type: z.string(), text: z.string().optional() })
const requestSchema = z.object({
  model: z.string().default('unknown'),
  stream: z.boolean().default(false),
  messages: z
    .array(z.object({ role: z.string(), content: z.union([z.string(), z.array(blockSchema)]) }))
    .default([]),
  tools: z.array(z.looseObject({ name: z.string().default('') })).default([]),
})
type MessagesRequest = z.infer<typeof requestSchema>

const parse = (body: unknown): MessagesRequest => requestSchema.parse(body ?? {})

export const anthropicMessages: Protocol = {
  accepts: (method, path) => method === 'POST' && /\/messages(\/count_tokens)?$/.test(path),
  turnOf: (path, body) => (path.endsWith('/count_tokens') ? null : turnOf(parse(body))),
  reply: async ({ body, turn, script, response }) => {
    if (turn === null) return sendJson(response, 200, { input_tokens: tokensOf(body) })
    const request = parse(body)
    const answer = script(turn)
    if (fails(answer)) return sendFailure(response, answer)
    if (answer.kind === 'hang' && answer.after === 'nothing') return
    return request.stream ? stream(response, request, turn, answer) : send(response, request, turn, answer)
  },
}

/** About four letters each. */
const tokensOf = (body: unknown): number => Math.ceil(JSON.stringify(body).length / 4)

const reminder = /<system-reminder>[\s\S]*?<\/system-reminder>/g

/** A message of a person holds text of its own; results of tools and reminders of the client are none. */
function turnOf({ messages, model, tools }: MessagesRequest): Turn {
  let number = 0
  let prompt = ''
  let toolResults = 0
  for (const { role, content } of messages) {
    if (role !== 'user') continue
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const results = blocks.filter(({ type }) => type === 'tool_result').length
    const text = blocks.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('\n')
    const words = text.replace(reminder, '').trim()
    if (results > 0) toolResults += results
    else if (words !== '') {
      number += 1
      prompt = words
      toolResults = 0
    }
  }
  return { number, prompt, toolResults, model, tools: tools.map(({ name }) => name) }
}

type Failure = Extract<Answer, { kind: 'status' | 'account_limit' | 'quota' | 'context_overflow' }>

const fails = (answer: Answer): answer is Failure =>
  answer.kind === 'status' ||
  answer.kind === 'account_limit' ||
  answer.kind === 'quota' ||
  answer.kind === 'context_overflow'

const documented: Readonly<Record<FailureStatus, readonly [type: string, message: string]>> = {
  400: ['invalid_request_error', 'The request is not valid.'],
  401: ['authentication_error', 'invalid x-api-key'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'model: unknown-model'],
  413: ['request_too_large', 'Request exceeds the maximum size'],
  429: ['rate_limit_error', 'This request would exceed your rate limit'],
  500: ['api_error', 'Internal server error'],
  529: ['overloaded_error', 'Overloaded'],
}

function sendFailure(response: http.ServerResponse, answer: Failure): void {
  const send = (
    status: number,
    type: string,
    message: string,
    headers: http.OutgoingHttpHeaders = {},
  ): void =>
    sendJson(
      response,
      status,
      { type: 'error', error: { type, message }, request_id: idOf('req') },
      { 'request-id': idOf('req'), ...headers },
    )
  switch (answer.kind) {
    case 'status': {
      const [type, message] = documented[answer.status]
      const { retryAfterSeconds } = answer
      return send(
        answer.status,
        type,
        message,
        retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
      )
    }
    case 'account_limit':
      return send(429, 'rate_limit_error', "This request would exceed your account's rate limit.", {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': String(answer.resetsAt),
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
        'retry-after': String(Math.max(1, answer.resetsAt - Math.floor(Date.now() / 1000))),
      })
    case 'quota':
      return send(
        400,
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
      )
    case 'context_overflow':
      return send(400, 'invalid_request_error', 'prompt is too long: 250000 tokens > 200000 maximum')
  }
}

type Block =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use'
      readonly id: string
      readonly name: string
      readonly input: ToolCall['input']
    }

type Spoken = Exclude<Answer, Failure>

function contentOf(answer: Spoken): readonly Block[] {
  switch (answer.kind) {
    case 'text':
      return [{ type: 'text', text: answer.text }]
    case 'tool': {
      const call: Block = { type: 'tool_use', id: idOf('toolu'), name: answer.name, input: answer.input }
      return answer.text === undefined ? [call] : [{ type: 'text', text: answer.text }, call]
    }
    case 'drop':
    case 'cut':
    case 'hang':
      return [{ type: 'text', text: firstWords }]
  }
}

const firstWords = 'The first words, and then '

const idOf = (kind: string): string => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 24)}`

const usageOf = ({ number }: Turn) => ({
  input_tokens: 100 + number,
  cache_creation_input_tokens: 10,
  cache_read_input_tokens: 20,
  output_tokens: 7,
  service_tier: 'standard',
})

const stopReason = (content: readonly Block[]): string =>
  content.at(-1)?.type === 'tool_use' ? 'tool_use' : 'end_turn'

const messageOf = ({ model }: MessagesRequest) => ({
  id: idOf('msg'),
  type: 'message',
  role: 'assistant',
  model,
  stop_reason: null,
  stop_sequence: null,
})

/** An answer in one piece: what breaks a stream breaks it too. */
function send(response: http.ServerResponse, request: MessagesRequest, turn: Turn, answer: Spoken): void {
  if (answer.kind === 'hang') return
  if (answer.kind === 'drop') return void response.destroy()
  if (answer.kind === 'cut') return sendFailure(response, { kind: 'status', status: 529 })
  const content = contentOf(answer)
  sendJson(response, 200, {
    ...messageOf(request),
    content,
    stop_reason: stopReason(content),
    usage: usageOf(turn),
  })
}

async function stream(
  response: http.ServerResponse,
  request: MessagesRequest,
  turn: Turn,
  answer: Spoken,
): Promise<void> {
  const content = contentOf(answer)
  const usage = usageOf(turn)
  const tell = (event: { readonly type: string } & Record<string, unknown>): void => {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'request-id': idOf('req'),
  })
  tell({
    type: 'message_start',
    message: { ...messageOf(request), content: [], usage: { ...usage, output_tokens: 1 } },
  })
  for (const [index, block] of content.entries()) {
    if (block.type === 'text') {
      tell({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } })
      const overMs = answer.kind === 'text' ? (answer.overMs ?? 0) : 0
      const words = overMs > 0 ? block.text.split(/(?<= )/) : [block.text]
      for (const text of words) {
        if (response.destroyed) return
        tell({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })
        if (overMs > 0) await sleep(overMs / words.length)
      }
      if (answer.kind === 'hang') return
      if (answer.kind === 'drop') return breakOff(response)
      if (answer.kind === 'cut') {
        tell({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
        response.end()
        return
      }
    } else {
      tell({ type: 'content_block_start', index, content_block: { ...block, input: {} } })
      tell({
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
      })
    }
    tell({ type: 'content_block_stop', index })
  }
  tell({
    type: 'message_delta',
    delta: { stop_reason: stopReason(content), stop_sequence: null },
    usage: { output_tokens: usage.output_tokens },
  })
  tell({ type: 'message_stop' })
  response.end()
}

/** The first words get out before the connection goes. */
async function breakOff(response: http.ServerResponse): Promise<void> {
  await sleep(150)
  response.destroy()
}
