import { existsSync, writeFileSync } from 'node:fs'

/*
 * Windows keeps icons of the tray out of sight: who closes the window the first time is told where it went.
 */

export const trayHint = {
  title: 'Alfred goes on in the tray',
  body: 'Its icon there brings the window back. Quit in the menu of the icon ends it.',
} as const

export interface TrayHintParts {
  readonly platform: NodeJS.Platform
  /** Is there once it was said. */
  readonly file: string
  readonly say: (hint: typeof trayHint) => void
}

/** Called whenever the window hides to the tray; says it once, for ever. */
export function createTrayHint({ platform, file, say }: TrayHintParts): () => void {
  return () => {
    if (platform !== 'win32' || existsSync(file)) return
    try {
      writeFileSync(file, '')
    } catch {
      // said again the next time
    }
    say(trayHint)
  }
}
