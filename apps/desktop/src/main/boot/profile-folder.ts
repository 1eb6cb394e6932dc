import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureDataFolder } from '../adapters/system/data-folder'

/**
 * Where the window keeps its profile: in the data folder. Where that cannot be used, a window without a profile of its
 * own would not even open to say so: then it gets one for this time alone.
 */
export const profileFolder = (dataFolder: string): string =>
  ensureDataFolder(dataFolder).ok ? join(dataFolder, 'window') : mkdtempSync(join(tmpdir(), 'alfred-window-'))
