export type PaletteScope = 'everything' | 'commands' | 'issues' | 'transcripts'

export const scopes: readonly PaletteScope[] = ['everything', 'commands', 'issues', 'transcripts']

export const scopeWords: Readonly<Record<PaletteScope, string>> = {
  everything: 'everything',
  commands: 'commands',
  issues: 'issues',
  transcripts: 'transcripts',
}
