import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programName } from './api-adapter'

const names = [programName, 'calls.mjs', 'providers.mjs', 'tools.mjs'] as const

/** The files of the api mode's program, by name. `resourcesFolder` is the app's `resources`, with real files. */
export async function readApiAgent(resourcesFolder: string): Promise<Readonly<Record<string, string>>> {
  const read = async (name: string) => [
    name,
    await readFile(join(resourcesFolder, 'api-agent', name), 'utf8'),
  ]
  return Object.fromEntries(await Promise.all(names.map(read))) as Readonly<Record<string, string>>
}
