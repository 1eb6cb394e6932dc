import {
  containerPaths,
  isInside,
  normalizeContainerPath,
  overlaps,
} from '@main/core/sandbox/container-paths'
import { signInFolder } from '@main/core/sandbox/sign-in-spec'
import type { AgentAdapter } from '@main/ports/agent-adapter'

/**
 * Every adapter goes through here. Throws (a defect of the adapter) when it says that it can resume without a place
 * for the sessions below the agent's home, or names paths outside of it.
 */
export function defineAdapter(adapter: AgentAdapter): AgentAdapter {
  const { id, sessionStatePath, sessionIdPattern } = adapter
  if (adapter.resumableSessions && sessionStatePath === null) {
    throw new Error(`adapter ${id}: resumable without a session state path`)
  }
  for (const path of [...(sessionStatePath === null ? [] : [sessionStatePath]), ...adapter.scratchPaths]) {
    const isBelowHome =
      path === normalizeContainerPath(path) &&
      isInside(path, containerPaths.home) &&
      path !== containerPaths.home
    if (!isBelowHome) throw new Error(`adapter ${id}: ${path} does not lie below ${containerPaths.home}`)
  }
  for (const { target } of adapter.login?.files ?? []) {
    if (sessionStatePath !== null && overlaps(target, sessionStatePath))
      throw new Error(`adapter ${id}: its login ${target} lies in the session state`)
  }
  if (adapter.login?.signIn !== undefined && signInFolder(adapter.login) === null)
    throw new Error(
      `adapter ${id}: what its login writes does not lie in one folder, by the names it is found by`,
    )
  const { source, flags } = sessionIdPattern
  if (!source.startsWith('^') || !source.endsWith('$') || flags !== '') {
    throw new Error(`adapter ${id}: the pattern of session ids must match the whole id`)
  }
  if (sessionIdPattern.test('-x') || sessionIdPattern.test('--help')) {
    throw new Error(`adapter ${id}: a session id could be read as a flag`)
  }
  return adapter
}
