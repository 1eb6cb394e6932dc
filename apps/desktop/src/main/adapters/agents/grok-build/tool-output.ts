import { z } from 'zod'
import { parseJsonLine } from '../json-line'

/*
 * What a tool of Grok Build answered. The CLI tells it as JSON in a text: what the model was told stands somewhere in it.
 */

export interface ToolOutput {
  readonly text: string
  /** A command that ended with another code than 0, of which the CLI says that all went well. */
  readonly failed: boolean
}

const told = z.array(z.object({ content: z.object({ text: z.string() }) }))
const command = z.object({ output_for_prompt: z.string(), exit_code: z.number().nullish() })
const file = z.union([
  z.object({ tool_output_for_prompt: z.string() }).transform((output) => output.tool_output_for_prompt),
  z.object({ raw_output: z.string() }).transform((output) => output.raw_output),
  z.object({ content: z.string() }).transform((output) => output.content),
])
const kind = z.object({ type: z.string() }).catchall(z.unknown())

export function readToolOutput(output: string): ToolOutput {
  const value = parseJsonLine(output)
  const parts = told.safeParse(value)
  if (parts.success) return { text: parts.data.map(({ content }) => content.text).join('\n'), failed: false }
  const ran = command.safeParse(value)
  if (ran.success) return { text: ran.data.output_for_prompt, failed: (ran.data.exit_code ?? 0) !== 0 }
  const one = kind.safeParse(value)
  const [known] = Object.values(one.success ? one.data : {}).flatMap((inner) => {
    const text = file.safeParse(inner)
    return text.success ? [text.data] : []
  })
  return { text: known ?? output, failed: false }
}
