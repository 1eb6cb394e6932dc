/*
 * Which versions of a CLI the project's own tests have passed with. Outside of them nothing is promised.
 */

export interface VersionRange {
  /** Inclusive. */
  readonly from: string
  /** Inclusive. */
  readonly to: string
}

/** The dotted numbers that a version begins with; null when it begins with none. `1.2.3-beta` counts as 1.2.3. */
export function versionNumbers(version: string): readonly number[] | null {
  const match = /^v?(\d+(?:\.\d+)*)/.exec(version.trim())
  return match?.[1] === undefined ? null : match[1].split('.').map(Number)
}

/** Negative: `a` is older. Missing parts count as 0. */
export function compareVersions(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** `1.2.3-beta.4`: what comes before 1.2.3, and was tried by nobody who tried 1.2.2 or 1.2.3. */
export const isPreRelease = (version: string): boolean => /^v?\d+(?:\.\d+)*-/.test(version.trim())

/** A pre-release is inside only where the range itself begins or ends with it. */
export function isInRanges(version: string, ranges: readonly VersionRange[]): boolean {
  const numbers = versionNumbers(version)
  if (numbers === null) return false
  if (isPreRelease(version)) return ranges.some(({ from, to }) => version === from || version === to)
  return ranges.some(({ from, to }) => {
    const first = versionNumbers(from)
    const last = versionNumbers(to)
    return (
      first !== null &&
      last !== null &&
      compareVersions(numbers, first) >= 0 &&
      compareVersions(numbers, last) <= 0
    )
  })
}

/** For people: `1.0.0 to 1.4.2`, several joined by `, `. */
export const rangeWords = (ranges: readonly VersionRange[]): string =>
  ranges.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)).join(', ')
