import type { SessionFigures } from '@main/ports/agent-adapter'
import { readUsage, type CallUsage } from './stream-lines'

/**
 * What a run used, from the lines that it added to the session's own file: the stream tells no tokens, and the sums
 * that the CLI makes are those of the session. null: no model answered.
 */
export function figuresInState(lines: readonly string[]): SessionFigures | null {
  const calls = lines.map(readUsage).filter((usage) => usage !== null)
  if (calls.length === 0) return null
  const sum = (pick: (usage: CallUsage) => number | null): number =>
    calls.reduce((total, usage) => total + (pick(usage) ?? 0), 0)
  const cachedTokens = sum(({ cacheReadTokens }) => cacheReadTokens)
  const last = calls.at(-1)
  return {
    // The CLI counts what was read from the cache as input too.
    inputTokens: Math.max(0, sum(({ inputTokens }) => inputTokens) - cachedTokens),
    cachedTokens,
    outputTokens: sum(({ outputTokens }) => outputTokens),
    contextUsed: last === undefined ? null : (last.inputTokens ?? 0) + (last.outputTokens ?? 0),
  }
}
