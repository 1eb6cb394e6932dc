import type { SettingScope } from '@shared/model/settings'
import type { ConsentKey } from '@shared/model/setting-consent'
import type { Clock } from '../../ports/clock'
import type { Store } from '../../ports/stores'

/** A person has to agree first; the message says to what. */
export interface ConsentNeeded {
  readonly type: 'consent_needed'
  readonly message: string
}

/** What a person agrees to, and what the audit calls that. */
const consents: Readonly<Record<ConsentKey, { readonly meaning: string; readonly audited: string }>> = {
  AGENT_RUNNER: {
    meaning:
      'On this computer without a container an agent runs as your user: it can read and change whatever you can, and its sessions are not resumed. That needs your consent for this project.',
    audited: 'host runner agreed to',
  },
  AGENT_CREDENTIAL_MOUNTS: {
    meaning:
      'Mounted login files can be read by the agent in every run and, with the network open, sent away. They are read-only; but if they are those of your own login, a refresh inside a run can sign you out on this computer. A login of its own in the folder .agent-credentials of the data folder, or a key (AGENT_CREDENTIAL_ENV), cannot. Mounting them needs your consent.',
    audited: 'credential mounts agreed to',
  },
}

export const consentNeeded = (key: ConsentKey): ConsentNeeded => ({
  type: 'consent_needed',
  message: consents[key].meaning,
})

/** Stores a value to whose meaning a person has just agreed; who, to what and when is in the audit. */
export function storeAgreed(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  scope: SettingScope,
  scopeId: number,
  key: ConsentKey,
  value: unknown,
): void {
  const at = clock.now()
  store.audit.add({
    at,
    who: 'person',
    what: consents[key].audited,
    mailboxId: null,
    runId: null,
    detail: { scope, scopeId, value },
  })
  store.settings.set(scope, scopeId, key, value, at, at)
}
