export type PaletteScope = 'everything' | 'commands' | 'issues'

export const scopes: readonly PaletteScope[] = ['everything', 'commands', 'issues']

export const scopeWords: Readonly<Record<PaletteScope, string>> = {
  everything: 'everything',
  commands: 'commands',
  issues: 'issues',
}
