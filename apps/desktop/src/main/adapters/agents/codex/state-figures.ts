import { z } from 'zod'
import type { SessionFigures } from '@main/ports/agent-adapter'
import { parseJsonLine } from '../json-line'

const figure = z.number().positive().nullish().catch(null)

const count = z.number().int().min(0)
const sumsSchema = z.object({ input_tokens: count, cached_input_tokens: count, output_tokens: count })

/** A line of the session's own file, written after each answer of the model. */
const countSchema = z.object({
  type: z.literal('event_msg'),
  payload: z.object({
    type: z.literal('token_count'),
    info: z.object({
      last_token_usage: z.object({ total_tokens: figure }).nullish().catch(null),
      total_token_usage: sumsSchema.nullish().catch(null),
      model_context_window: figure,
    }),
  }),
})

/**
 * How full the model's context is after the last answer, from the lines that the run added to the session's own file: the
 * stream tells tokens alone. null: no model answered.
 */
export function figuresInState(lines: readonly string[]): SessionFigures | null {
  const info = lastCount(lines)
  const contextUsed = info?.last_token_usage?.total_tokens
  if (typeof contextUsed !== 'number') return null
  return { contextUsed, contextMax: info?.model_context_window ?? null }
}

function readCount(line: string): z.infer<typeof countSchema>['payload']['info'] | null {
  const parsed = countSchema.safeParse(parseJsonLine(line))
  return parsed.success ? parsed.data.payload.info : null
}
