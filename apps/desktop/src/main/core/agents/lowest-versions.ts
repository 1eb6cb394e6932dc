import type { ImageCli } from '@shared/model/words'
import { compareVersions, versionNumbers } from './version-range'

/**
 * The first version of a CLI that takes the command line which Alfred always gives it, where an older one is known to
 * refuse it. Between it and the versions that are resumed (`resume-versions.ts`) every run starts fresh.
 */
export const lowestVersions: Partial<Readonly<Record<ImageCli, string>>> = {
  // Before, `--disable-client-telemetry` is refused, and without it GitHub is told what the CLI does.
  copilot: '1.0.100',
}

/** Whether every run with this version would fail. Of a version that is no number nothing is known. */
export function isTooOld(version: string, lowest: string | undefined): boolean {
  const numbers = versionNumbers(version)
  const first = lowest === undefined ? null : versionNumbers(lowest)
  if (numbers === null || first === null) return false
  return compareVersions(numbers, first) < 0
}
