import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The agent may have made any number of files. */
const maxNamesLookedAt = 20_000

/** See `SessionStates.list`. No link is followed. */
export async function listSessions(folder: string, file: string): Promise<Readonly<Record<string, number>>> {
  const sizes = new Map<string, number>()
  const looks = { left: maxNamesLookedAt }
  const walk = async (path: string, [part, ...rest]: readonly string[], id: string | null): Promise<void> => {
    if (part === undefined) {
      const stats = await lstat(path).catch(() => null)
      if (id !== null && stats?.isFile() === true) sizes.set(id, (sizes.get(id) ?? 0) + stats.size)
      return
    }
    const names = await readdir(path, { withFileTypes: true }).catch(() => [])
    const like = patternOf(part)
    for (const entry of names) {
      if ((looks.left -= 1) < 0) return
      const match = entry.isSymbolicLink() ? null : like.exec(entry.name)
      if (match !== null) await walk(join(path, entry.name), rest, match.groups?.['id'] ?? id)
    }
  }
  await walk(folder, file.split('/'), null)
  return Object.fromEntries(sizes)
}

/** `*` stands for anything; `{id}` for an id, which is the last of its kind in the name. */
function patternOf(part: string): RegExp {
  const words = part
    .split(/(\*|\{id\})/)
    .map((word) => (word === '*' ? '.*' : word === '{id}' ? idGroup : word.replaceAll(/[^\w-]/g, '\\$&')))
  return new RegExp(`^${words.join('')}$`)
}
const idGroup = '(?<id>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})'
