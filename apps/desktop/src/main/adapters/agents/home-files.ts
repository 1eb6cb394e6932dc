import type { StartCommand } from '@main/ports/agent-adapter'

/*
 * Files that a CLI expects in its home. The entry copies them there before it starts the CLI, so that the CLI may
 * write them; the name of its environment variable and the form of its value are the entry's (resources/entry).
 */

/** Below the home, without characters that would need quoting. */
const plainPath = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/

/** The part of a start that puts `files` (by path below the home) into the home. Throws on a path that is not plain. */
export function homeFiles(
  files: Readonly<Record<string, string>>,
): Pick<StartCommand, 'environment' | 'files'> {
  const placed = Object.entries(files).map(([path, text], index) => {
    if (!plainPath.test(path) || path.split('/').includes('..'))
      throw new Error(`not a plain path below the home: ${path}`)
    return { name: `home-${index + 1}`, path, text }
  })
  return {
    environment: { ALFRED_HOME_FILES: placed.map(({ name, path }) => `${name}=${path}`).join(' ') },
    files: Object.fromEntries(placed.map(({ name, text }) => [name, text])),
  }
}

/** What a file of the home says for the end of a key: only the entry, in the container, puts the characters there. */
export const keyEnd = '@KEY_END@'

/** The part of a start by which the entry puts the end of the key in `variable` into the file at `path`. */
export const keyEndEnvironment = (variable: string, path: string): Readonly<Record<string, string>> => ({
  ALFRED_KEY_END: `${variable}=${path}`,
})
