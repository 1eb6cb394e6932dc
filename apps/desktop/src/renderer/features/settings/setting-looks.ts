import {
  agentPhases,
  notifyKey,
  toldKinds,
  type NotifyKey,
  type PhaseKey,
  type SettingKey,
} from '@shared/model/settings'
import { imageCliSchema } from '@shared/model/words'
import { formatDuration, formatSize } from '@shared/setting-units'

export type SettingSection = 'workflow' | 'sessions' | 'agents' | 'sandbox' | 'limits' | 'notifications'

export type SettingKind =
  | { readonly kind: 'switch' }
  | { readonly kind: 'duration' }
  | { readonly kind: 'size' }
  | { readonly kind: 'number'; readonly unit: string; readonly unset?: string }
  /** `unset`: what an empty field means; absent where a value is needed. */
  | { readonly kind: 'text'; readonly unset?: string; readonly isMono?: true }
  /** `unset`: what it means to name none. */
  | { readonly kind: 'adapter'; readonly unset: string }
  | { readonly kind: 'runner' }
  | { readonly kind: 'list'; readonly one: string; readonly many: string; readonly hint: string }

export interface SettingLook {
  readonly section: SettingSection
  readonly control: SettingKind
}

/** The setting of one phase, which may be that of all of them. */
function perPhase<K extends string>(
  key: K,
  control: SettingKind,
): Readonly<Record<PhaseKey<K>, SettingLook>> {
  const look: SettingLook = { section: 'agents', control }
  const looks = agentPhases.map((phase) => [`${key}_${phase.toUpperCase()}`, look])
  return Object.fromEntries(looks) as Record<PhaseKey<K>, SettingLook>
}
const asForAll: SettingKind = { kind: 'text', unset: 'as for all phases', isMono: true }

const notifyLooks = Object.fromEntries(
  toldKinds.map((kind) => [notifyKey(kind), { section: 'notifications', control: { kind: 'switch' } }]),
) as Readonly<Record<NotifyKey, SettingLook>>

/** Where each setting stands and how it is edited; how it is called and what it means is said by its definition. */
export const settingLooks: Readonly<Record<SettingKey, SettingLook>> = {
  AGENT_SESSION_RESUME: { section: 'sessions', control: { kind: 'switch' } },
  BRANCH_PREFIX: { section: 'sessions', control: { kind: 'text', isMono: true } },
  CLEANUP_AFTER_DAYS: {
    section: 'sessions',
    control: { kind: 'number', unit: 'days' },
  },
  REQUIRE_PLAN_VALIDATION: {
    section: 'workflow',
    control: { kind: 'switch' },
  },
  AGENT_TRIGGER_LABEL: {
    section: 'workflow',
    control: { kind: 'text', unset: 'none' },
  },
  TRUSTED_PEOPLE: {
    section: 'workflow',
    control: { kind: 'list', one: 'person', many: 'people', hint: 'One user id per line.' },
  },
  PUSH_NEEDS_PERSON: {
    section: 'workflow',
    control: { kind: 'list', one: 'path', many: 'paths', hint: 'One pattern per line, like .github/**.' },
  },
  POLL_INTERVAL: { section: 'workflow', control: { kind: 'duration' } },
  GIT_AUTHOR_NAME: {
    section: 'workflow',
    control: { kind: 'text', unset: 'the bot account' },
  },
  GIT_AUTHOR_EMAIL: {
    section: 'workflow',
    control: { kind: 'text', unset: 'the bot account' },
  },
  AGENT_ADAPTER: { section: 'agents', control: { kind: 'adapter', unset: 'first installed' } },
  ...perPhase('AGENT_ADAPTER', { kind: 'adapter', unset: 'as for all phases' }),
  ...perPhase('AGENT_MODEL', asForAll),
  ...perPhase('AGENT_PROVIDER', asForAll),
  AGENT_MODEL: {
    section: 'agents',
    control: { kind: 'text', unset: "the CLI's own", isMono: true },
  },
  AGENT_PROVIDER: {
    section: 'agents',
    control: { kind: 'text', unset: "the CLI's own", isMono: true },
  },
  AGENT_BASE_URL: {
    section: 'agents',
    control: { kind: 'text', unset: "the provider's own", isMono: true },
  },
  MAX_LLM_RETRIES: {
    section: 'agents',
    control: { kind: 'number', unit: 'repeats' },
  },
  AGENT_RUNNER: { section: 'sandbox', control: { kind: 'runner' } },
  AGENT_IMAGE: {
    section: 'sandbox',
    control: { kind: 'text', unset: 'the one Alfred builds', isMono: true },
  },
  AGENT_IMAGE_CLIS: {
    section: 'sandbox',
    control: {
      kind: 'list',
      one: 'CLI',
      many: 'CLIs',
      hint: `One per line: ${imageCliSchema.options.join(', ')}. The image is built again before the next run.`,
    },
  },
  AGENT_CREDENTIAL_MOUNTS: {
    section: 'sandbox',
    control: {
      kind: 'list',
      one: 'mount',
      many: 'mounts',
      hint: 'One per line: adapter=/host/path:/container/path. Always read-only.',
    },
  },
  AGENT_CREDENTIAL_ENV: {
    section: 'sandbox',
    control: {
      kind: 'list',
      one: 'variable',
      many: 'variables',
      hint: 'One per line: adapter=NAME. Its value is read from ALFRED_TOKEN_NAME, else from the system keyring.',
    },
  },
  DOCKER_ENDPOINT: {
    section: 'sandbox',
    control: { kind: 'text', unset: 'found by itself', isMono: true },
  },
  RUN_TIMEOUT: { section: 'limits', control: { kind: 'duration' } },
  TERMINAL_COMMAND: { section: 'limits', control: { kind: 'text' } },
  TERMINAL_LIMIT: { section: 'limits', control: { kind: 'duration' } },
  RUN_MEMORY: { section: 'limits', control: { kind: 'size' } },
  RUN_CPUS: { section: 'limits', control: { kind: 'number', unit: 'CPUs' } },
  RUN_PIDS: { section: 'limits', control: { kind: 'number', unit: 'processes' } },
  RUN_DISK: { section: 'limits', control: { kind: 'size' } },
  RUN_BUDGET_USD: { section: 'limits', control: { kind: 'number', unit: 'USD', unset: 'none' } },
  DAY_BUDGET_USD: { section: 'limits', control: { kind: 'number', unit: 'USD', unset: 'none' } },
  QUIET_HOURS: { section: 'notifications', control: { kind: 'text', unset: 'none' } },
  ...notifyLooks,
  START_AT_LOGIN: { section: 'notifications', control: { kind: 'switch' } },
  MAX_RUNS: { section: 'limits', control: { kind: 'number', unit: 'runs' } },
}

/** A value in a few words, for the strip: `on`, `45m`, `2 mounts`, `claude-code`. */
export function formatSettingValue(control: SettingKind, value: unknown): string {
  if (value === null || value === undefined)
    return ('unset' in control ? control.unset : undefined) ?? 'not set'
  switch (control.kind) {
    case 'switch':
      return value === true ? 'on' : 'off'
    case 'duration':
      return typeof value === 'number' ? formatDuration(value) : plainText(value)
    case 'size':
      return typeof value === 'number' ? formatSize(value) : plainText(value)
    case 'list': {
      const count = Array.isArray(value) ? value.length : 0
      return count === 0 ? 'none' : `${count} ${count === 1 ? control.one : control.many}`
    }
    case 'number':
    case 'text':
    case 'adapter':
    case 'runner':
      return plainText(value)
  }
}

/** What has not the form of its kind is shown as it is stored. */
const plainText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
