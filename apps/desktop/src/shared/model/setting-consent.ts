import type { SettingKey } from './settings'

/*
 * Values that count only once a person has agreed to what they mean: that agents run on this computer itself, and
 * that login files of this computer are mounted into their containers.
 */

export type ConsentKey = 'AGENT_RUNNER' | 'AGENT_CREDENTIAL_MOUNTS'

/** What of a value a person must have agreed to, one by one; empty: nothing. */
function toAgreeTo(key: SettingKey, value: unknown): readonly unknown[] {
  switch (key) {
    case 'AGENT_RUNNER':
      return value === 'host' ? [value] : []
    case 'AGENT_CREDENTIAL_MOUNTS':
      return Array.isArray(value) ? value : []
    default:
      return []
  }
}

export const needsConsent = (key: SettingKey, value: unknown): key is ConsentKey =>
  toAgreeTo(key, value).length > 0

/** Whether who agreed to a value has agreed to this one too: taking a part away is nothing to ask about. */
export function isCoveredBy(key: SettingKey, value: unknown, agreed: unknown): boolean {
  const parts = toAgreeTo(key, agreed)
  return toAgreeTo(key, value).every((part) => parts.includes(part))
}

/** The host runner is agreed to for one project at a time, so it has no other scope. */
export const isForOneProject = (key: SettingKey, value: unknown): boolean =>
  key === 'AGENT_RUNNER' && value === 'host'
