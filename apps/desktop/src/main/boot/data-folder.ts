import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/** What decides where the data lies; `process` fits. */
export interface Surroundings {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The data folder, the same for the app and for `alfred`: ALFRED_HOME, else `alfred` in the system's data folder. */
export function dataFolder({ platform, env }: Surroundings, home: string = homedir()): string {
  const chosen = env['ALFRED_HOME']
  if (chosen !== undefined && chosen !== '') return resolve(chosen)
  return join(systemDataFolder(platform, env, home), 'alfred')
}

/** The same where it was chosen for this process; null: the system decides, for every process alike. */
export function chosenDataFolder(surroundings: Surroundings, home: string = homedir()): string | null {
  const { platform } = surroundings
  const folder = dataFolder(surroundings, home)
  return folder === dataFolder({ platform, env: systemVariables(surroundings) }, home) ? null : folder
}

/** Those that the system sets for every process of a person. */
const systemVariables = ({ env }: Surroundings): Surroundings['env'] => ({
  LOCALAPPDATA: env['LOCALAPPDATA'],
})

function systemDataFolder(platform: NodeJS.Platform, env: Surroundings['env'], home: string): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local')
  // the specification says that a relative path here counts as not set
  const xdg = env['XDG_DATA_HOME']
  return xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.local', 'share')
}
