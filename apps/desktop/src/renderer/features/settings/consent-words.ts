import type { SettingScope } from '@shared/model/settings'
import type { ConsentKey } from '@shared/model/setting-consent'
import { noSessionsThere, type ConsentWords } from '../../components/consent-dialog'

/** What is asked before a value that a person must agree to is written. */
export function consentWords(key: ConsentKey, scope: SettingScope, value: unknown): ConsentWords {
  switch (key) {
    case 'AGENT_RUNNER':
      return {
        title: 'Run the agents of this project on this computer?',
        text: "Without a container an agent runs as your user, without a sandbox: it can read and change whatever you can. It gets a home folder of its own inside Alfred's data folder.",
        note: noSessionsThere,
        details: [],
        confirmLabel: 'Run them here',
      }
    case 'AGENT_CREDENTIAL_MOUNTS':
      return {
        title: `Mount login files into the runs of ${whose[scope]}?`,
        text: 'They are read-only there. The agent can read them and, with the network open, send them away. If they are those of your own login, a refresh inside a run can sign you out on this computer.',
        note: "A login of the agent's own (in its folder under .agent-credentials in the data folder) or a key (AGENT_CREDENTIAL_ENV) leaves yours alone.",
        details: Array.isArray(value) ? value.map(mountLine) : [],
        confirmLabel: 'Mount them',
      }
  }
}

const whose: Readonly<Record<SettingScope, string>> = {
  app: 'all projects',
  organization: "this organization's projects",
  project: 'this project',
}

/** `claude-code: /home/me/.claude.json → /home/agent/.claude.json, read-only`. */
function mountLine(entry: unknown): string {
  const [, adapter, source, target] = /^([a-z-]+)=([^:]*):(.*)$/.exec(String(entry)) ?? []
  return adapter === undefined ? String(entry) : `${adapter}: ${source} → ${target}, read-only`
}
