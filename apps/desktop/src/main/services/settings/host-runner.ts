import type { ProjectId } from '@shared/model/ids'
import type { Clock } from '../../ports/clock'
import type { Store } from '../../ports/stores'

/** A person has to agree first; the message says to what. */
export interface ConsentNeeded {
  readonly type: 'consent_needed'
  readonly message: string
}

export const hostMeaning =
  'On this computer without a container an agent runs as your user: it can read and change whatever you can, and its sessions are not resumed. That needs your consent for this project.'

/** Lets the runs of a project execute on this computer, to which its person agreed; who and when is in the audit. */
export function setHostRunner(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  projectId: ProjectId,
): void {
  const at = clock.now()
  store.audit.add({
    at,
    who: 'person',
    what: 'host runner agreed to',
    mailboxId: null,
    runId: null,
    detail: { projectId },
  })
  store.settings.set('project', projectId, 'AGENT_RUNNER', 'host', at)
}
