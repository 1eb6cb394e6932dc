import type { settingsContract } from '@shared/contract/settings'
import { ok } from '@shared/result'
import type { SettingsService } from '../services/settings/settings-service'
import type { HandlersOf } from './dispatch'

export function createSettingsHandlers(settings: SettingsService): HandlersOf<typeof settingsContract> {
  return {
    scopes: () => ok(settings.scopes()),
    list: ({ scope, scopeId }) => ok(settings.list(scope, scopeId)),
    set: ({ scope, scopeId, key, value, consent }) =>
      settings.set(scope, scopeId, key, value, consent === true),
    reset: ({ scope, scopeId, key }) => settings.reset(scope, scopeId, key),
  }
}
