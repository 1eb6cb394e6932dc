import { formatCost } from '../format'

/** US dollars for facts: below one cent with four decimals (`$0.0042`). */
export const formatExactCost = (usd: number | null): string =>
  usd !== null && usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : formatCost(usd)

/** A sum with parts that are not known: `$7.84 + 2 unknown`; all parts unknown (`usd` null): `unknown`. */
export function formatCostSum(usd: number | null, unknown: number): string {
  if (unknown === 0) return formatCost(usd ?? 0)
  return usd === null ? 'unknown' : `${formatCost(usd)} + ${unknown} unknown`
}

/** A figure that was worked out, not told: `≈$0.55`. */
export const formatEstimate = (usd: number | null): string =>
  usd === null ? 'unknown' : `≈${formatCost(usd)}`
