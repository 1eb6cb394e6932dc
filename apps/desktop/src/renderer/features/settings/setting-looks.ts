import type { SettingKey } from '@shared/model/settings'
import { imageCliSchema } from '@shared/model/words'
import { formatDuration, formatSize } from '@shared/setting-units'

export type SettingSection = 'workflow' | 'sessions' | 'agents' | 'sandbox' | 'limits'

export type SettingKind =
  | { readonly kind: 'switch' }
  | { readonly kind: 'duration' }
  | { readonly kind: 'size' }
  | { readonly kind: 'number'; readonly unit: string }
  /** `unset`: what an empty field means; absent where a value is needed. */
  | { readonly kind: 'text'; readonly unset?: string; readonly isMono?: true }
  | { readonly kind: 'adapter' }
  | { readonly kind: 'runner' }
  | { readonly kind: 'list'; readonly one: string; readonly many: string; readonly hint: string }

export interface SettingLook {
  readonly title: string
  readonly section: SettingSection
  readonly control: SettingKind
}

/** How each setting is called and edited; what it means is said by its definition. */
export const settingLooks: Readonly<Record<SettingKey, SettingLook>> = {
  AGENT_SESSION_RESUME: { title: 'Resume sessions', section: 'sessions', control: { kind: 'switch' } },
  BRANCH_PREFIX: { title: 'Branch prefix', section: 'sessions', control: { kind: 'text', isMono: true } },
  CLEANUP_AFTER_DAYS: {
    title: 'Keep memory after the end',
    section: 'sessions',
    control: { kind: 'number', unit: 'days' },
  },
  REQUIRE_PLAN_VALIDATION: {
    title: 'Require plan validation',
    section: 'workflow',
    control: { kind: 'switch' },
  },
  AGENT_TRIGGER_LABEL: {
    title: 'Trigger label',
    section: 'workflow',
    control: { kind: 'text', unset: 'none' },
  },
  TRUSTED_PEOPLE: {
    title: 'Trusted people',
    section: 'workflow',
    control: { kind: 'list', one: 'person', many: 'people', hint: 'One user id per line.' },
  },
  PUSH_NEEDS_PERSON: {
    title: 'Paths that need a person',
    section: 'workflow',
    control: { kind: 'list', one: 'path', many: 'paths', hint: 'One pattern per line, like .github/**.' },
  },
  POLL_INTERVAL: { title: 'Poll interval', section: 'workflow', control: { kind: 'duration' } },
  GIT_AUTHOR_NAME: {
    title: 'Author name',
    section: 'workflow',
    control: { kind: 'text', unset: 'the bot account' },
  },
  GIT_AUTHOR_EMAIL: {
    title: 'Author e-mail',
    section: 'workflow',
    control: { kind: 'text', unset: 'the bot account' },
  },
  AGENT_ADAPTER: { title: 'Default agent', section: 'agents', control: { kind: 'adapter' } },
  AGENT_MODEL: {
    title: 'Model',
    section: 'agents',
    control: { kind: 'text', unset: "the CLI's own", isMono: true },
  },
  AGENT_PROVIDER: {
    title: 'Provider',
    section: 'agents',
    control: { kind: 'text', unset: "the CLI's own", isMono: true },
  },
  AGENT_BASE_URL: {
    title: 'Address of the model',
    section: 'agents',
    control: { kind: 'text', unset: "the provider's own", isMono: true },
  },
  MAX_LLM_RETRIES: {
    title: 'Repeats after provider errors',
    section: 'agents',
    control: { kind: 'number', unit: 'repeats' },
  },
  AGENT_RUNNER: { title: 'Runner', section: 'sandbox', control: { kind: 'runner' } },
  AGENT_IMAGE: {
    title: 'Base image',
    section: 'sandbox',
    control: { kind: 'text', unset: 'the one Alfred builds', isMono: true },
  },
  AGENT_IMAGE_CLIS: {
    title: 'CLIs in the image',
    section: 'sandbox',
    control: {
      kind: 'list',
      one: 'CLI',
      many: 'CLIs',
      hint: `One per line: ${imageCliSchema.options.join(', ')}. The image is built again before the next run.`,
    },
  },
  AGENT_CREDENTIAL_MOUNTS: {
    title: 'Credential mounts',
    section: 'sandbox',
    control: {
      kind: 'list',
      one: 'mount',
      many: 'mounts',
      hint: 'One per line: adapter=/host/path:/container/path. Always read-only.',
    },
  },
  AGENT_CREDENTIAL_ENV: {
    title: 'Credentials as environment',
    section: 'sandbox',
    control: {
      kind: 'list',
      one: 'variable',
      many: 'variables',
      hint: 'One per line: adapter=NAME. Its value is read from ALFRED_TOKEN_NAME, else from the system keyring.',
    },
  },
  DOCKER_ENDPOINT: {
    title: 'Docker endpoint',
    section: 'sandbox',
    control: { kind: 'text', unset: 'found by itself', isMono: true },
  },
  RUN_TIMEOUT: { title: 'Run time limit', section: 'limits', control: { kind: 'duration' } },
  RUN_MEMORY: { title: 'Memory limit', section: 'limits', control: { kind: 'size' } },
  RUN_CPUS: { title: 'Processor limit', section: 'limits', control: { kind: 'number', unit: 'CPUs' } },
  RUN_PIDS: { title: 'Process limit', section: 'limits', control: { kind: 'number', unit: 'processes' } },
  RUN_DISK: { title: 'Disk limit', section: 'limits', control: { kind: 'size' } },
  MAX_RUNS: { title: 'Runs at once', section: 'limits', control: { kind: 'number', unit: 'runs' } },
}

/** A value in a few words, for the strip: `on`, `45m`, `2 mounts`, `claude-code`. */
export function formatSettingValue(control: SettingKind, value: unknown): string {
  if (value === null || value === undefined)
    return control.kind === 'text' ? (control.unset ?? 'not set') : 'first installed'
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
