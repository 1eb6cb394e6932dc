import type { Result } from '@shared/result'

/** Terminal programs of this computer. */
export interface TerminalPrograms {
  /**
   * Opens one with `alfred` and these words in it. `template`: as the person wrote it; null: one is looked for. Error:
   * none was found, or it ended at once; in words.
   */
  open(
    words: readonly string[],
    options: { readonly title: string; readonly template: string | null },
  ): Promise<Result<null, string>>
}
