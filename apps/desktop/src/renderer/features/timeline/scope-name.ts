import type { SettingScope } from '@shared/model/settings'

/** A scope by its name, as `harbour/freight-api` has it: `the whole app`, `harbour`, `freight-api`. */
export function scopeName(scope: SettingScope, projectPath: string): string {
  if (scope === 'app') return 'the whole app'
  const cut = projectPath.lastIndexOf('/')
  return scope === 'organization' ? projectPath.slice(0, cut) : projectPath.slice(cut + 1)
}
