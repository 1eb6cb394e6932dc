import type { Runner } from '@shared/model/words'
import { isTooOld } from './lowest-versions'
import { isInRanges, isPreRelease, rangeWords, type VersionRange } from './version-range'

export interface CapabilityFacts {
  readonly runner: Runner
  readonly resumableSessions: boolean
  readonly whyNotResumable?: string
  readonly resumeVersions: readonly VersionRange[]
  readonly lowestVersion?: string | undefined
  /** null: not installed, or it does not say. */
  readonly version: string | null
}

/** What one installed CLI may be used for, and why not for more; the reason is shown as it stands. */
export function installationCapability({
  runner,
  resumableSessions,
  whyNotResumable = 'This agent CLI cannot resume a session.',
  resumeVersions,
  lowestVersion,
  version,
}: CapabilityFacts): {
  readonly resumable: boolean
  readonly reason: string | null
} {
  if (version === null) return { resumable: false, reason: 'Not found.' }
  if (isTooOld(version, lowestVersion))
    return {
      resumable: false,
      reason: `Version ${version} does not start: ${lowestVersion} or newer is needed.`,
    }
  if (!resumableSessions) return { resumable: false, reason: whyNotResumable }
  if (runner === 'host') return { resumable: false, reason: 'Sessions need a container.' }
  if (isInRanges(version, resumeVersions)) return { resumable: true, reason: null }
  // Its numbers alone may well lie between those of the range.
  const which = isPreRelease(version) ? `The pre-release ${version}` : `Version ${version}`
  return {
    resumable: false,
    reason: `${which} is outside the verified range (${rangeWords(resumeVersions)}), so every run starts fresh.`,
  }
}
