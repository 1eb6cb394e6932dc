import { err, ok, type Result } from '@shared/result'
import type { AdapterId } from '@shared/model/words'
import { containerPaths, isInside, normalizeContainerPath, overlaps } from './container-paths'

/*
 * Login files that a person mounts for an adapter (`AGENT_CREDENTIAL_MOUNTS`, `adapter=host:container`).
 */

export interface CredentialMount {
  readonly source: string
  readonly target: string
}

/** The mounts of one adapter; entries that do not read as one are left out, since the setting's schema refused them. */
export function credentialMountsOf(
  setting: readonly string[],
  adapter: AdapterId,
): readonly CredentialMount[] {
  return setting.flatMap((entry) => {
    const match = /^([a-z-]+)=(\/[^:\0]*):(\/[^:\0]*)$/.exec(entry)
    const [, name, source, target] = match ?? []
    return name === adapter && source !== undefined && target !== undefined ? [{ source, target }] : []
  })
}

/** Names of the environment variables that sign one adapter in (`AGENT_CREDENTIAL_ENV`, `adapter=NAME`). */
export function credentialNamesOf(setting: readonly string[], adapter: AdapterId): readonly string[] {
  return setting.flatMap((entry) => {
    const [, name, variable] = /^([a-z-]+)=([A-Z_][A-Z0-9_]*)$/.exec(entry) ?? []
    return name === adapter && variable !== undefined ? [variable] : []
  })
}

/**
 * The first mount that the session state would be equal to, inside or around: sessions are then off for the run,
 * because neither may the state hide a login nor a login be writable. null when none overlaps.
 */
export function credentialOverlap(
  sessionStatePath: string | null,
  mounts: readonly CredentialMount[],
): CredentialMount | null {
  if (sessionStatePath === null) return null
  const state = normalizeContainerPath(sessionStatePath)
  if (state === null) return null
  return (
    mounts.find((mount) => {
      const target = normalizeContainerPath(mount.target)
      return target !== null && overlaps(target, state)
    }) ?? null
  )
}

/** Places that a credential may not cover: ours, and what the container needs to work. */
const reserved = [containerPaths.workspace, '/alfred', '/etc/passwd', '/etc/group', '/proc', '/sys', '/dev']

/** The mount's target, or why it cannot be mounted there. */
export function credentialTarget(mount: CredentialMount): Result<string, string> {
  const target = normalizeContainerPath(mount.target)
  if (target === null) return err(`${mount.target} is no absolute path`)
  const taken = reserved.find((place) => overlaps(place, target))
  if (taken !== undefined) return err(`${target} is Alfred's own place in the container`)
  if (isInside(containerPaths.home, target)) return err(`${target} would cover the agent's whole home`)
  if (target === containerPaths.temporary) return err(`${target} would cover the temporary folder`)
  return ok(target)
}
