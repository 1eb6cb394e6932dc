import type { AgentEvent } from '@main/ports/agent-adapter'
import type { FinishLine } from './stream-lines'

/*
 * Figures of one run. The CLI tells those of each step (a request and its answer) and no sum; a price that it does not
 * know is told as zero.
 */

type UsageEvent = Extract<AgentEvent, { kind: 'usage' }>

interface Sums {
  readonly input: number | null
  readonly cached: number | null
  readonly output: number | null
  readonly cost: number | null
  /** Of the last step alone: how much of the model's context it filled. */
  readonly context: number | null
  readonly steps: number
}

export const noSteps: Sums = { input: null, cached: null, output: null, cost: null, context: null, steps: 0 }

export function addStep(sums: Sums, { tokens, cost }: FinishLine['part']): Sums {
  const all = [tokens?.input, tokens?.cache.read, tokens?.cache.write, tokens?.output, tokens?.reasoning]
  return {
    input: sum(sums.input, tokens?.input, tokens?.cache.write),
    cached: sum(sums.cached, tokens?.cache.read),
    output: sum(sums.output, tokens?.output, tokens?.reasoning),
    cost: sum(sums.cost, cost),
    context: tokens?.total ?? sum(...all) ?? sums.context,
    steps: sums.steps + 1,
  }
}

export const figuresOf = ({ input, cached, output, cost, context, steps }: Sums): UsageEvent => ({
  kind: 'usage',
  inputTokens: positive(input),
  cachedTokens: input === null ? null : cached,
  outputTokens: positive(output),
  costUsd: positive(cost),
  contextUsed: positive(context),
  contextMax: null,
  turns: steps,
})

/** null when no part is known. */
function sum(...parts: readonly (number | null | undefined)[]): number | null {
  const known = parts.filter((part) => typeof part === 'number')
  return known.length === 0 ? null : known.reduce((total, part) => total + part, 0)
}

const positive = (value: number | null): number | null => (value === 0 ? null : value)
