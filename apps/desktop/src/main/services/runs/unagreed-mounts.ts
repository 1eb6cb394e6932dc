import { credentialMountsOf, type CredentialMount } from '../../core/sandbox/credential-mounts'
import { unagreedValue } from '../../core/settings/resolve-settings'
import type { RunContext } from './run-context'

/** Login files that the settings name for a run's agent, but that nobody has agreed to mount: it goes without them. */
export function unagreedMounts({
  resolved,
  adapter,
}: Pick<RunContext, 'resolved' | 'adapter'>): readonly CredentialMount[] {
  const unagreed = unagreedValue(resolved, 'AGENT_CREDENTIAL_MOUNTS')
  return Array.isArray(unagreed?.value) ? credentialMountsOf(unagreed.value.map(String), adapter.id) : []
}
