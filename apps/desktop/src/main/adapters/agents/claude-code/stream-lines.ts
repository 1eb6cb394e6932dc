import { z } from 'zod'
import { parseJsonLine } from '../json-line'

/*
 * The lines of `claude -p --output-format stream-json --verbose`, as far as Alfred uses them. All of it is untrusted:
 * a figure that does not read as one is unknown.
 */

const words = z.string()
const someWords = words.nullish().transform((text) => text ?? null)
const figure = z
  .number()
  .nonnegative()
  .nullish()
  .transform((value) => value ?? null)
  .catch(null)
const isTrue = z
  .boolean()
  .nullish()
  .transform((value) => value === true)

const usageSchema = z.object({
  input_tokens: figure,
  cache_creation_input_tokens: figure,
  cache_read_input_tokens: figure,
  output_tokens: figure,
})
export type TokenUsage = z.infer<typeof usageSchema>

/** What one model was used for, with the price that the CLI reckons. */
const modelUsageSchema = z.record(
  z.string().max(500),
  z.object({
    inputTokens: figure,
    outputTokens: figure,
    cacheReadInputTokens: figure,
    cacheCreationInputTokens: figure,
    costUSD: figure,
    contextWindow: figure,
  }),
)
export type ModelUsage = z.infer<typeof modelUsageSchema>

const usageOrNull = usageSchema.nullish().transform((usage) => usage ?? null)
const modelUsageOrNull = modelUsageSchema.nullish().transform((usage) => usage ?? null)

const blockSchema = z.union([
  z.object({ type: z.literal('text'), text: words }),
  z.object({ type: z.literal('thinking'), thinking: words }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string().max(200).nullish(),
    name: words,
    input: z.unknown().optional(),
  }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string().max(200).nullish(),
    content: z.unknown().optional(),
    is_error: isTrue,
  }),
  // Pictures, redacted thoughts, the provider's own tools: there is no text in them to show.
  z.object({ type: z.string() }).transform(() => ({ type: 'other' as const })),
])
export type ContentBlock = z.infer<typeof blockSchema>

const content = z.union([
  words.transform((text): ContentBlock[] => [{ type: 'text', text }]),
  z.array(blockSchema).max(10_000),
])

const initSchema = z.object({
  subtype: z.literal('init'),
  session_id: z.string().max(200),
  model: z.string().max(500).nullish(),
  mcp_servers: z
    .array(z.object({ name: words, status: z.string().max(100) }))
    .max(1000)
    .catch([]),
})

const systemSchema = z.union([
  initSchema,
  z.object({
    subtype: z.literal('api_retry'),
    attempt: figure,
    max_retries: figure,
    retry_delay_ms: figure,
    error_status: figure,
    error: someWords,
  }),
  z.object({
    subtype: z.literal('permission_denied'),
    tool_name: words,
    message: someWords,
  }),
  z.object({ subtype: z.literal('compact_boundary') }),
  // A state of the CLI's own that tells a reader nothing.
  z.object({ subtype: z.string() }).transform(() => ({ subtype: 'other' as const })),
])

const deltaSchema = z
  .object({ type: z.literal('text_delta'), text: words })
  .nullish()
  .transform((delta) => delta ?? null)
  .catch(null)

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('system') }).loose(),
  z.object({
    type: z.literal('assistant'),
    message: z.object({
      id: z.string().max(200).nullish(),
      model: z.string().max(500).nullish(),
      content,
      usage: usageOrNull,
    }),
    parent_tool_use_id: z.string().max(200).nullish(),
    error: z.string().max(200).nullish(),
  }),
  z.object({
    type: z.literal('user'),
    message: z.object({ content }),
    parent_tool_use_id: z.string().max(200).nullish(),
  }),
  z.object({
    type: z.literal('result'),
    subtype: z.string().max(100),
    is_error: isTrue,
    result: someWords,
    errors: z.array(words).max(100).nullish(),
    num_turns: figure,
    total_cost_usd: figure,
    usage: usageOrNull,
    modelUsage: modelUsageOrNull,
    model_usage_since_last_result: modelUsageOrNull,
    permission_denials: z
      .array(z.object({ tool_name: words }))
      .max(10_000)
      .nullish(),
    terminal_reason: z.string().max(100).nullish(),
    api_error_status: figure,
  }),
  z.object({
    type: z.literal('rate_limit_event'),
    rate_limit_info: z
      .object({ status: z.string().max(100), resetsAt: figure })
      .catch({ status: 'unknown', resetsAt: null }),
  }),
  // In a chat: parts of a message that comes as a whole later.
  z.object({
    type: z.literal('stream_event'),
    event: z.object({ type: z.string(), delta: deltaSchema }).catch({ type: 'other', delta: null }),
    parent_tool_use_id: z.string().max(200).nullish(),
  }),
  // Only with options that Alfred does not set, or about the CLI's own state.
  z.object({ type: z.literal('tool_progress') }),
  z.object({ type: z.literal('tool_use_summary') }),
  z.object({ type: z.literal('auth_status') }),
  z.object({ type: z.literal('prompt_suggestion') }),
  z.object({ type: z.literal('keep_alive') }),
])

type Line = z.infer<typeof lineSchema>
export type AssistantLine = Extract<Line, { type: 'assistant' }>
export type UserLine = Extract<Line, { type: 'user' }>
export type ResultLine = Extract<Line, { type: 'result' }>
export type SystemLine = z.infer<typeof systemSchema> & { readonly type: 'system' }
type SilentLine = { readonly type: 'silent' }
type RateLimitLine = Extract<Line, { type: 'rate_limit_event' }>
export type PartLine = Extract<Line, { type: 'stream_event' }>
export type ClaudeLine =
  | SystemLine
  | AssistantLine
  | UserLine
  | ResultLine
  | RateLimitLine
  | PartLine
  | SilentLine

/** null for what is no line of the CLI's stream. Never throws. */
export function readLine(line: string): ClaudeLine | null {
  const parsed = lineSchema.safeParse(parseJsonLine(line))
  if (!parsed.success) return null
  const { data } = parsed
  switch (data.type) {
    case 'system': {
      const system = systemSchema.safeParse(data)
      return system.success ? { type: 'system', ...system.data } : null
    }
    case 'assistant':
    case 'user':
    case 'result':
    case 'rate_limit_event':
    case 'stream_event':
      return data
    default:
      return { type: 'silent' }
  }
}
