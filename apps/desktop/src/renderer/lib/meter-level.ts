export type MeterLevel = 'fine' | 'high' | 'full' | 'unknown'

/** Below 80 % is fine, from 95 % on almost full; without both figures it is unknown. */
export function meterLevel(used: number | null, max: number | null): MeterLevel {
  if (used === null || max === null || max <= 0) return 'unknown'
  const fraction = used / max
  if (fraction >= 0.95) return 'full'
  return fraction >= 0.8 ? 'high' : 'fine'
}
