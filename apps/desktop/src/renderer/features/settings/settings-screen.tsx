import type { SettingScope } from '@shared/model/settings'

export interface SettingsScreenProps {
  readonly scope: SettingScope | null
  readonly scopeId: number | null
  /** The setting to show first. */
  readonly settingKey: string | null
}

/** Settings by scope (settings.html). */
export function SettingsScreen({ settingKey }: SettingsScreenProps) {
  return <main data-test="settings-screen">{settingKey}</main>
}
