import { z } from 'zod'
import { parseJsonLine } from '../json-line'

/*
 * The lines of `opencode run --format json`, as far as Alfred uses them. All of it is untrusted: a figure that does not
 * read as one is unknown.
 */

const words = z.string()
const figure = z
  .number()
  .nonnegative()
  .nullish()
  .transform((value) => value ?? null)
  .catch(null)
const someWords = words.nullish().transform((text) => text ?? null)

/** Every line carries the session's id. */
const ofSession = { sessionID: z.string().min(1).max(200) }

const tokensSchema = z.object({
  total: figure,
  input: figure,
  output: figure,
  reasoning: figure,
  cache: z.object({ read: figure, write: figure }).catch({ read: null, write: null }),
})

const errorSchema = z.object({
  name: z.string().max(200),
  data: z
    .object({
      message: someWords,
      statusCode: figure,
      isRetryable: z.boolean().nullish().catch(null),
      responseBody: someWords.catch(null),
      responseHeaders: z.record(z.string(), z.string()).nullish().catch(null),
    })
    .nullish()
    .transform((data) => data ?? null),
})
export type StepError = z.infer<typeof errorSchema>

const lineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('step_start'),
    ...ofSession,
    part: z.object({ messageID: z.string().max(200) }),
  }),
  z.object({
    type: z.literal('text'),
    ...ofSession,
    // What the CLI says to the model in a person's name, as after the conversation was summed up.
    part: z.object({ text: words, synthetic: z.boolean().nullish() }),
  }),
  z.object({ type: z.literal('reasoning'), ...ofSession, part: z.object({ text: words }) }),
  z.object({
    type: z.literal('tool_use'),
    ...ofSession,
    part: z.object({
      tool: words,
      callID: z.string().max(200).nullish(),
      state: z.object({
        status: z.string().max(100),
        input: z.unknown().optional(),
        output: someWords,
        error: someWords,
        metadata: z.object({ exit: figure }).nullish().catch(null),
      }),
    }),
  }),
  z.object({
    type: z.literal('step_finish'),
    ...ofSession,
    part: z.object({
      reason: z.string().max(100),
      tokens: tokensSchema.nullish().transform((tokens) => tokens ?? null),
      cost: figure,
    }),
  }),
  z.object({ type: z.literal('error'), ...ofSession, error: errorSchema }),
])
export type OpencodeLine = z.infer<typeof lineSchema>
export type ToolLine = Extract<OpencodeLine, { type: 'tool_use' }>
export type FinishLine = Extract<OpencodeLine, { type: 'step_finish' }>

/** null for what is no line of the CLI's stream. Never throws. */
export function readLine(line: string): OpencodeLine | null {
  const parsed = lineSchema.safeParse(parseJsonLine(line))
  return parsed.success ? parsed.data : null
}

/** What an error says in words. */
export const errorWords = ({ name, data }: StepError): string => data?.message ?? name
