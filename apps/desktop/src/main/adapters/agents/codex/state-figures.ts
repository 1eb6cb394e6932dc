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

/**
 * What the whole session used so far, by which the CLI goes on counting when it resumes it. null: no model answered yet.
 */
export function sumsInState(lines: readonly string[]): SessionFigures | null {
  const sums = lastCount(lines)?.total_token_usage
  if (!sums) return null
  const { input_tokens: input, cached_input_tokens: cachedTokens, output_tokens: outputTokens } = sums
  return { inputTokens: Math.max(0, input - cachedTokens), cachedTokens, outputTokens }
}

function lastCount(lines: readonly string[]): ReturnType<typeof readCount> {
  const last = lines.findLast((line) => line.includes('"token_count"') && readCount(line) !== null)
  return last === undefined ? null : readCount(last)
}

function readCount(line: string): z.infer<typeof countSchema>['payload']['info'] | null {
  const parsed = countSchema.safeParse(parseJsonLine(line))
  return parsed.success ? parsed.data.payload.info : null
}
