import { z } from 'zod'
import { parseJsonLine } from '../json-line'

/*
 * The lines of `copilot --output-format json`, and those of a session's own file, as far as Alfred uses them. All of it
 * is untrusted: a figure that does not read as one is unknown.
 */

const words = z.string()
const name = z.string().max(200)
const figure = z
  .number()
  .nonnegative()
  .nullish()
  .transform((value) => value ?? null)
  .catch(null)

/** Of a subagent, whose words are no answer of the agent. */
const ofAgent = { agentId: name.nullish() }

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('assistant.message'), ...ofAgent, data: z.object({ content: words }) }),
  z.object({
    type: z.literal('assistant.message_delta'),
    ...ofAgent,
    data: z.object({ deltaContent: words }),
  }),
  z.object({ type: z.literal('assistant.reasoning'), data: z.object({ content: words }) }),
  z.object({ type: z.literal('assistant.turn_start'), ...ofAgent }),
  z.object({ type: z.literal('assistant.turn_retry'), data: z.object({ reason: name }) }),
  z.object({
    type: z.literal('model.call_failure'),
    data: z.object({ statusCode: figure, errorMessage: words.nullish() }),
  }),
  z.object({
    type: z.literal('tool.execution_start'),
    data: z.object({ toolCallId: name.nullish(), toolName: words, arguments: z.unknown().optional() }),
  }),
  z.object({
    type: z.literal('tool.execution_complete'),
    data: z.object({
      toolCallId: name.nullish(),
      success: z.boolean(),
      result: z.object({ content: words }).nullish().catch(null),
      error: z.object({ message: words, code: name.nullish() }).nullish().catch(null),
      shellExecution: z.object({ exitCode: figure }).nullish().catch(null),
      toolTelemetry: z
        .object({ metrics: z.object({ context_token_limit: figure, context_current_tokens: figure }) })
        .nullish()
        .catch(null),
    }),
  }),
  z.object({
    type: z.literal('session.usage_info'),
    ...ofAgent,
    data: z.object({ currentTokens: figure, tokenLimit: figure }),
  }),
  z.object({
    type: z.literal('session.compaction_complete'),
    data: z.object({ success: z.boolean().nullish() }),
  }),
  z.object({ type: z.literal('session.warning'), data: z.object({ message: words }) }),
  z.object({
    type: z.literal('session.error'),
    data: z.object({ errorType: name, message: words, statusCode: figure }),
  }),
  z.object({ type: z.literal('result'), sessionId: z.string().min(1).max(200), exitCode: z.number() }),
])
export type CopilotLine = z.infer<typeof lineSchema>
export type ToolEndLine = Extract<CopilotLine, { type: 'tool.execution_complete' }>
export type ErrorLine = Extract<CopilotLine, { type: 'session.error' }>

/** Whatever else the CLI tells of itself: parts of what comes as a whole later, and states that tell a reader nothing. */
const ownEvent = z.object({
  type: z.string().regex(/^[a-z_]+(?:\.[a-z_]+)+$/),
  id: z.string(),
  timestamp: z.string(),
})

/** null for what is no line of the CLI's stream, `silent` for one that has nothing to show. Never throws. */
export function readLine(line: string): CopilotLine | 'silent' | null {
  const value = parseJsonLine(line)
  const parsed = lineSchema.safeParse(value)
  if (parsed.success) return parsed.data
  return ownEvent.safeParse(value).success ? 'silent' : null
}

const usageRecordSchema = z.object({
  type: z.literal('session.usage_record'),
  data: z.object({
    usage: z.object({
      inputTokens: figure,
      outputTokens: figure,
      cacheReadTokens: figure,
      cacheWriteTokens: figure,
    }),
  }),
})
export type CallUsage = z.infer<typeof usageRecordSchema>['data']['usage']

/** What one call of the model used, from a line of the session's own file; null for every other line. */
export function readUsage(line: string): CallUsage | null {
  // Most lines are none, and they are long.
  if (!line.includes('"session.usage_record"')) return null
  const parsed = usageRecordSchema.safeParse(parseJsonLine(line))
  return parsed.success ? parsed.data.data.usage : null
}
