import type { AgentEvent } from '@main/ports/agent-adapter'
import type { ModelUsage, ResultLine, TokenUsage } from './stream-lines'

/*
 * Figures of one run. Newer versions sum `total_cost_usd` and `modelUsage` up over the whole session, resumes
 * included; what this run used stands beside them. What is not told is null, and so is a sum of nothing: no model
 * answered then, or its price is not known.
 */

type UsageEvent = Extract<AgentEvent, { kind: 'usage' }>

export interface RunSoFar {
  /** The model that the CLI named for itself; subagents may use others. */
  readonly model: string | null
  readonly contextUsed: number | null
}

export const noFigures = {
  inputTokens: null,
  cachedTokens: null,
  outputTokens: null,
  costUsd: null,
  contextUsed: null,
  contextMax: null,
  turns: null,
} as const

/** What the final line says about this run; null when it tells no figure at all. */
export function figuresOf(line: ResultLine, soFar: RunSoFar): UsageEvent | null {
  const ofRun = line.model_usage_since_last_result
  const tokens = ofRun === null ? tokensOf(line.usage) : tokensOfModels(ofRun)
  const figures = {
    ...tokens,
    costUsd: costOf(line),
    contextUsed: soFar.contextUsed,
    contextMax: contextWindowOf(ofRun, soFar.model) ?? contextWindowOf(line.modelUsage, soFar.model),
    turns: line.num_turns === 0 ? null : line.num_turns,
  }
  const isTold = Object.values(figures).some((figure) => figure !== null)
  return isTold ? { kind: 'usage', ...figures } : null
}

/** How much of the model's context a request and its answer filled. */
export function contextOf(usage: TokenUsage): number | null {
  return positive(
    sum([
      usage.input_tokens,
      usage.cache_creation_input_tokens,
      usage.cache_read_input_tokens,
      usage.output_tokens,
    ]),
  )
}

type Tokens = Pick<UsageEvent, 'inputTokens' | 'cachedTokens' | 'outputTokens'>
const unknownTokens: Tokens = { inputTokens: null, cachedTokens: null, outputTokens: null }

function tokensOf(usage: TokenUsage | null): Tokens {
  if (usage === null || contextOf(usage) === null) return unknownTokens
  return {
    inputTokens: sum([usage.input_tokens, usage.cache_creation_input_tokens]),
    cachedTokens: usage.cache_read_input_tokens,
    outputTokens: usage.output_tokens,
  }
}

function tokensOfModels(usage: ModelUsage): Tokens {
  const models = Object.values(usage)
  const tokens = {
    inputTokens: sum(
      models.flatMap(({ inputTokens, cacheCreationInputTokens }) => [inputTokens, cacheCreationInputTokens]),
    ),
    cachedTokens: sum(models.map(({ cacheReadInputTokens }) => cacheReadInputTokens)),
    outputTokens: sum(models.map(({ outputTokens }) => outputTokens)),
  }
  return positive(sum(Object.values(tokens))) === null ? unknownTokens : tokens
}

/** Versions without figures per run either tell the cost of the run (they know no reason of the end), or nobody knows. */
function costOf(line: ResultLine): number | null {
  const ofRun = line.model_usage_since_last_result
  if (ofRun !== null) return positive(sum(Object.values(ofRun).map(({ costUSD }) => costUSD)))
  const isOfRun = line.terminal_reason === undefined || line.terminal_reason === null
  return isOfRun ? positive(line.total_cost_usd) : null
}

function contextWindowOf(usage: ModelUsage | null, model: string | null): number | null {
  if (usage === null) return null
  const own = model === null ? undefined : usage[model]
  const [only, ...others] = Object.values(usage)
  return positive((own ?? (others.length === 0 ? only : undefined))?.contextWindow ?? null)
}

/** null when no part is known. */
function sum(parts: readonly (number | null)[]): number | null {
  const known = parts.filter((part) => part !== null)
  return known.length === 0 ? null : known.reduce((total, part) => total + part, 0)
}

const positive = (value: number | null): number | null => (value === null || value === 0 ? null : value)
