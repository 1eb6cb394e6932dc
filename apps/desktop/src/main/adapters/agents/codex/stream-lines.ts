import { z } from 'zod'
import { parseJsonLine } from '../json-line'

/*
 * The lines of `codex exec --json`, as far as Alfred uses them. All of it is untrusted: a figure that does not read as
 * one is unknown.
 */

const words = z.string()
const figure = z
  .number()
  .nonnegative()
  .nullish()
  .transform((value) => value ?? null)
  .catch(null)
const status = z.string().max(100).nullish()
const id = z.string().max(200).nullish()

const itemSchema = z.union([
  z.object({ type: z.literal('agent_message'), text: words }),
  z.object({ type: z.literal('reasoning'), text: words }),
  z.object({
    type: z.literal('command_execution'),
    id,
    command: words,
    aggregated_output: words.nullish(),
    exit_code: z.number().nullish(),
    status,
  }),
  z.object({
    type: z.literal('file_change'),
    id,
    changes: z.array(z.object({ path: words, kind: z.string().max(100).nullish() })).max(100_000),
    status,
  }),
  z.object({
    type: z.literal('mcp_tool_call'),
    id,
    server: words.nullish(),
    tool: words,
    arguments: z.unknown().optional(),
    result: z.unknown().optional(),
    error: z.object({ message: words }).nullish().catch(null),
    status,
  }),
  z.object({ type: z.literal('web_search'), id, query: words.nullish() }),
  z.object({
    type: z.literal('todo_list'),
    items: z.array(z.object({ text: words, completed: z.boolean().nullish() })).max(10_000),
  }),
  z.object({ type: z.literal('error'), message: words }),
])
export type CodexItem = z.infer<typeof itemSchema>

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: z.string().max(200) }),
  z.object({ type: z.literal('turn.started') }),
  z.object({ type: z.literal('item.started'), item: itemSchema }),
  z.object({ type: z.literal('item.updated'), item: itemSchema }),
  z.object({ type: z.literal('item.completed'), item: itemSchema }),
  z.object({
    type: z.literal('turn.completed'),
    usage: z
      .object({ input_tokens: figure, cached_input_tokens: figure, output_tokens: figure })
      .nullish()
      .catch(null),
  }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: words }) }),
  z.object({ type: z.literal('error'), message: words }),
])
export type CodexLine = z.infer<typeof lineSchema>

/** null for what is no line of the CLI's stream. Never throws. */
export function readLine(line: string): CodexLine | null {
  const parsed = lineSchema.safeParse(parseJsonLine(line))
  return parsed.success ? parsed.data : null
}
