import { err, ok, type Result } from '@shared/result'
import type { AdapterId } from '@shared/model/words'
import { containerPaths, foldersBetween, isInside, normalizeContainerPath } from './container-paths'
import type { BindMount, TmpfsMount } from './container-spec'
import { credentialTarget, type CredentialMount } from './credential-mounts'

/*
 * What every sandbox mounts, whatever it is for.
 */

export interface SandboxSpecError {
  readonly type: 'credential_mount_refused'
  readonly message: string
}

/** Size of each tmpfs; its pages count in the container's memory limit. */
const tmpfsBytes = 2_000_000_000

export const bind = (source: string, target: string, readOnly: boolean, purpose: string): BindMount => ({
  kind: 'bind',
  source,
  target,
  readOnly,
  purpose,
})

export const tmpfs = (target: string, purpose: string): TmpfsMount => ({
  kind: 'tmpfs',
  target,
  sizeBytes: tmpfsBytes,
  exec: true,
  purpose,
})

/** Some CLIs fail for a user without a name. */
export const userMounts = (files: {
  readonly passwd: string
  readonly group: string
}): readonly BindMount[] => [
  bind(files.passwd, containerPaths.passwd, true, "the user's name"),
  bind(files.group, containerPaths.group, true, "the group's name"),
]

/** `credential_mount_refused` when a credential would cover a place that the sandbox needs. */
export function loginMounts(
  credentials: readonly CredentialMount[],
  adapter: AdapterId,
): Result<readonly BindMount[], SandboxSpecError> {
  const mounts: BindMount[] = []
  for (const mount of credentials) {
    const target = credentialTarget(mount)
    if (!target.ok) return err({ type: 'credential_mount_refused', message: target.error })
    mounts.push({ ...bind(mount.source, target.value, true, `login of ${adapter}`), isLogin: true })
  }
  return ok(mounts)
}

/**
 * Home and temporary folder, the CLI's own writable folders, and every folder between home and a mount below it:
 * Docker would make those as root, and the agent could not write there.
 */
export function tmpfsMounts(
  binds: readonly BindMount[],
  scratchPaths: readonly string[],
): readonly TmpfsMount[] {
  const { home, temporary } = containerPaths
  const purposes = new Map<string, string>()
  const add = (target: string, purpose: string): void => {
    const isCovered = binds.some((mount) => isInside(target, mount.target))
    if (!isCovered && !purposes.has(target)) purposes.set(target, purpose)
  }
  add(home, "the agent's home, gone after the run")
  add(temporary, 'temporary files, gone after the run')
  for (const path of scratchPaths) {
    const target = normalizeContainerPath(path)
    if (target === null) continue
    for (const folder of foldersBetween(home, target)) add(folder, 'between two mounts')
    add(target, "the agent CLI's own files, gone after the run")
  }
  for (const mount of binds) {
    for (const folder of foldersBetween(home, mount.target)) add(folder, 'between two mounts')
  }
  return [...purposes]
    .map(([target, purpose]) => tmpfs(target, purpose))
    .toSorted((a, b) => (a.target < b.target ? -1 : 1))
}
