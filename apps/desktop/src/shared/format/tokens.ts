import { formatTokens } from '../format'

export interface TokenSplit {
  /** New in this run, without what came out of the provider's cache. */
  readonly inputTokens: number | null
  readonly cachedTokens: number | null
  readonly outputTokens: number | null
}

/** New in, cached and out together; null when none of the three is known. */
export function totalTokens(split: TokenSplit): number | null {
  const known = [split.inputTokens, split.cachedTokens, split.outputTokens].filter((part) => part !== null)
  return known.length === 0 ? null : known.reduce((sum, part) => sum + part, 0)
}

/** `604k tok`; null is `unknown`. */
export const formatTokenTotal = (count: number | null): string =>
  count === null ? 'unknown' : `${formatTokens(count)} tok`

/** `41k new · 520k cached · 12k out`; parts that are not known say so. */
export const formatTokenSplit = (split: TokenSplit): string =>
  `${formatTokens(split.inputTokens)} new · ${formatTokens(split.cachedTokens)} cached · ${formatTokens(split.outputTokens)} out`

/** `122k of 200k · 61 %`; null when use or size is not known. */
export function formatContext(used: number | null, max: number | null): string {
  if (used === null || max === null || max <= 0) return 'unknown'
  return `${formatTokens(used)} of ${formatTokens(max)} · ${Math.round((used / max) * 100)} %`
}
