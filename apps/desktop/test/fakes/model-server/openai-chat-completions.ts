import { randomUUID } from 'node:crypto'
import type http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Turn } from './answers'
import { fails, firstWords, sendFailure, type Spoken } from './openai-failures'
import { sendJson, type Protocol } from './protocol'

/*
 * The Chat Completions API of OpenAI, which others speak too: `POST …/chat/completions`, streamed and whole.
 */

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() })
const requestSchema = z.object({
  model: z.string().default('unknown'),
  stream: z.boolean().nullish(),
  messages: z
    .array(
      z.object({
        role: z.string(),
        content: z.union([z.string(), z.array(partSchema)]).nullish(),
      }),
    )
    .default([]),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }).optional() })).nullish(),
})
type ChatRequest = z.infer<typeof requestSchema>

const parse = (body: unknown): ChatRequest => requestSchema.parse(body ?? {})

export const openaiChatCompletions: Protocol = {
  accepts: (method, path) => method === 'POST' && path.endsWith('/chat/completions'),
  turnOf: (_path, body) => turnOf(parse(body)),
  reply: async ({ body, turn, script, response }) => {
    const request = parse(body)
    const asked = turn ?? turnOf(request)
    const answer = script(asked)
    if (fails(answer)) return sendFailure(response, answer)
    if (answer.kind === 'hang' && answer.after === 'nothing') return
    return request.stream === true
      ? stream(response, request, asked, answer)
      : send(response, request, asked, answer)
  },
}

/** What clients put around the words of a person, or say in their name. */
const besideTheWords =
  /<(system-reminder|system_reminder|current_datetime|reminder|system_notification)>[\s\S]*?<\/\1>|^<user_info>[\s\S]*$/g

function turnOf({ messages, model, tools }: ChatRequest): Turn {
  let number = 0
  let prompt = ''
  let toolResults = 0
  let isBeside = false
  for (const { role, content } of messages) {
    if (role === 'tool') toolResults += 1
    if (role !== 'user') continue
    const words = textOf(content).replace(besideTheWords, '').trim()
    // The client's own question about the conversation, with the conversation's tools.
    isBeside = words === ''
    if (isBeside) continue
    number += 1
    prompt = words
    toolResults = 0
  }
  const names = isBeside ? [] : (tools ?? []).map((tool) => tool.function?.name ?? '')
  return { number, prompt, toolResults, model, tools: names }
}

function textOf(content: ChatRequest['messages'][number]['content']): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('\n')
}

const usageOf = ({ number }: Turn) => ({
  prompt_tokens: 120 + number,
  completion_tokens: 7,
  total_tokens: 127 + number,
  prompt_tokens_details: { cached_tokens: 20 },
})

interface Message {
  readonly content: string | null
  readonly call: { readonly id: string; readonly name: string; readonly arguments: string } | null
}

function messageOf(answer: Spoken): Message {
  switch (answer.kind) {
    case 'text':
      return { content: answer.text, call: null }
    case 'tool': {
      const id = `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`
      const call = { id, name: answer.name, arguments: JSON.stringify(answer.input) }
      return { content: answer.text ?? null, call }
    }
    case 'drop':
    case 'cut':
    case 'hang':
      return { content: firstWords, call: null }
  }
}

const headOf = ({ model }: ChatRequest, object: string) => ({
  id: `chatcmpl-${randomUUID()}`,
  object,
  created: Math.floor(Date.now() / 1000),
  model,
})

const toolCall = (call: NonNullable<Message['call']>) => ({
  id: call.id,
  type: 'function',
  function: { name: call.name, arguments: call.arguments },
})

/** An answer in one piece: what breaks a stream breaks it too. */
function send(response: http.ServerResponse, request: ChatRequest, turn: Turn, answer: Spoken): void {
  if (answer.kind === 'hang') return
  if (answer.kind === 'drop') return void response.destroy()
  if (answer.kind === 'cut') return sendFailure(response, { kind: 'status', status: 529 })
  const { content, call } = messageOf(answer)
  const message = { role: 'assistant', content, ...(call === null ? {} : { tool_calls: [toolCall(call)] }) }
  sendJson(response, 200, {
    ...headOf(request, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: call === null ? 'stop' : 'tool_calls' }],
    usage: usageOf(turn),
  })
}

async function stream(
  response: http.ServerResponse,
  request: ChatRequest,
  turn: Turn,
  answer: Spoken,
): Promise<void> {
  const head = headOf(request, 'chat.completion.chunk')
  const tell = (value: object): void => {
    response.write(`data: ${JSON.stringify({ ...head, ...value })}\n\n`)
  }
  const choose = (delta: object, finish: string | null = null): void =>
    tell({ choices: [{ index: 0, delta, finish_reason: finish }] })
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const { content, call } = messageOf(answer)
  choose({ role: 'assistant', content: '' })
  const overMs = answer.kind === 'text' ? (answer.overMs ?? 0) : 0
  for (const words of overMs > 0 ? (content ?? '').split(/(?<= )/) : [content ?? '']) {
    if (response.destroyed) return
    if (words !== '') choose({ content: words })
    if (overMs > 0) await sleep(overMs / 10)
  }
  if (answer.kind === 'hang') return
  if (answer.kind === 'drop') {
    // The first words get out before the connection goes.
    await sleep(150)
    response.destroy()
    return
  }
  // The stream ends without a last word.
  if (answer.kind === 'cut') return void response.end()
  if (call !== null) choose({ tool_calls: [{ index: 0, ...toolCall(call) }] })
  choose({}, call === null ? 'stop' : 'tool_calls')
  tell({ choices: [], usage: usageOf(turn) })
  response.write('data: [DONE]\n\n')
  response.end()
}
