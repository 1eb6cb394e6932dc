import { z } from 'zod'
import { neutraliseControls } from '@main/core/stream/control-sequences'
import type { AgentEvent, StreamParser } from '@main/ports/agent-adapter'
import { parseJsonLine } from '../json-line'

/*
 * The JSON lines of the demo agent and of the scripted one. Whatever does not read as one of them is shown as output.
 */

const figure = z
  .number()
  .nonnegative()
  .nullish()
  .transform((value) => value ?? null)

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('init'), session_id: z.string().max(200) }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thought'), text: z.string() }),
  z.object({ type: z.literal('partial'), text: z.string() }),
  z.object({
    type: z.literal('tool'),
    id: z.string().max(200).nullish(),
    name: z.string(),
    summary: z.string().nullish(),
    input: z.unknown().optional(),
  }),
  z.object({
    type: z.literal('tool_result'),
    id: z.string().max(200).nullish(),
    failed: z.boolean().default(false),
    output: z.string(),
  }),
  z.object({
    type: z.literal('usage'),
    input_tokens: figure,
    cached_tokens: figure,
    output_tokens: figure,
    cost_usd: figure,
    context_used: figure,
    context_max: figure,
    turns: figure,
  }),
  z.object({ type: z.literal('retry'), message: z.string(), retry_after_ms: figure }),
  z.object({ type: z.literal('warning'), message: z.string() }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({
    type: z.literal('result'),
    is_error: z.boolean().default(false),
    text: z.string().default(''),
    denied_tools: z.array(z.string()).max(1000).default([]),
  }),
])

type Line = z.infer<typeof lineSchema>

/** Keeps nothing between lines. */
export function createJsonLinesParser(): StreamParser {
  return { parse: parseLine }
}

function parseLine(line: string): readonly AgentEvent[] {
  if (line.trim() === '') return []
  const parsed = lineSchema.safeParse(parseJsonLine(line))
  return [parsed.success ? toEvent(parsed.data) : { kind: 'output', text: line }]
}

function toEvent(line: Line): AgentEvent {
  switch (line.type) {
    case 'init':
      return { kind: 'session', nativeId: line.session_id }
    case 'text':
    case 'thought':
    case 'partial':
      return { kind: line.type, text: line.text }
    case 'tool':
      return {
        kind: 'tool',
        name: line.name,
        summary: line.summary ?? '',
        input: line.input === undefined ? '' : neutraliseControls(JSON.stringify(line.input)),
        callId: line.id ?? null,
      }
    case 'tool_result':
      return { kind: 'tool_result', callId: line.id ?? null, failed: line.failed, output: line.output }
    case 'usage':
      return {
        kind: 'usage',
        inputTokens: line.input_tokens,
        cachedTokens: line.cached_tokens,
        outputTokens: line.output_tokens,
        costUsd: line.cost_usd,
        contextUsed: line.context_used,
        contextMax: line.context_max,
        turns: line.turns,
      }
    case 'retry':
      return { kind: 'retry', message: line.message, retryAfterMs: line.retry_after_ms }
    case 'warning':
    case 'error':
      return { kind: line.type, message: line.message }
    case 'result':
      return { kind: 'result', succeeded: !line.is_error, text: line.text, deniedTools: line.denied_tools }
  }
}
