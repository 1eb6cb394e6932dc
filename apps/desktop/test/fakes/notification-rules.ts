import { appPlace, resolveSettings } from '@main/core/settings/resolve-settings'
import type { SettingValues } from '@shared/model/settings'

/** A desktop that shows what it is told, and the settings as they are unless a test says otherwise. */
export const toldDesktop = (values: Partial<SettingValues> = {}) => ({
  desktop: { showsNotifications: () => Promise.resolve(true) },
  rules: () => ({ ...resolveSettings([], appPlace).values, ...values }),
})
