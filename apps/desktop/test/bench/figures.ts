/** One measured row; `rival` and `ratio` are null where no rival is named. */
export interface BenchRow {
  readonly name: string
  readonly ours: number
  readonly rival: number | null
  readonly unit: 'ms' | 'µs' | 'MB' | '%' | 'requests'
  readonly ratio: number | null
  /** The most that `ratio` (or `ours`, without a rival) may be. */
  readonly budget: number
  readonly within: boolean
}

export function againstRival(
  name: string,
  ours: number,
  rival: number,
  unit: BenchRow['unit'],
  budget: number,
): BenchRow {
  const ratio = rounded(ours / rival)
  return { name, ours: rounded(ours), rival: rounded(rival), unit, ratio, budget, within: ratio <= budget }
}

export function alone(name: string, ours: number, unit: BenchRow['unit'], budget: number): BenchRow {
  return { name, ours: rounded(ours), rival: null, unit, ratio: null, budget, within: ours < budget }
}

/** A count that may be its budget. */
export const atMost = (name: string, ours: number, unit: BenchRow['unit'], budget: number): BenchRow => ({
  ...alone(name, ours, unit, budget),
  within: ours <= budget,
})

/** What programs read of the rows: one line. */
export const benchReport = (rows: readonly BenchRow[]): string => `${JSON.stringify({ rows })}\n`

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The value that a share `q` of the values does not exceed (nearest rank). */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]
  if (value === undefined) throw new Error('no values to take a quantile of')
  return value
}

/** Milliseconds that each of `times` calls took; the first tenth is warm-up and not counted. */
export function timeCalls(times: number, call: (index: number) => unknown): readonly number[] {
  const warmUp = Math.ceil(times / 10)
  const taken: number[] = []
  for (let index = 0; index < times + warmUp; index += 1) {
    const begin = performance.now()
    call(index)
    if (index >= warmUp) taken.push(performance.now() - begin)
  }
  return taken
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000
