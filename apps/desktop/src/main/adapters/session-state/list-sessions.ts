import { inFolder, plainSize, type HeldFolder } from '../disk/held-folder'

/** The agent may have made any number of files. */
const maxNamesLookedAt = 20_000

/** See `SessionStates.list`. No link is followed, and a file with a second name counts as none. */
export async function listSessions(folder: string, file: string): Promise<Readonly<Record<string, number>>> {
  const sizes = new Map<string, number>()
  const looks = { left: maxNamesLookedAt }
  const walk = async (
    held: HeldFolder,
    [part = '', ...rest]: readonly string[],
    id: string | null,
  ): Promise<void> => {
    const like = patternOf(part)
    for (const name of (await held.names()) ?? []) {
      if ((looks.left -= 1) < 0) return
      const match = like.exec(name)
      if (match === null) continue
      const known = match.groups?.['id'] ?? id
      if (rest.length > 0) {
        await inFolder(held.at(name), (next) => walk(next, rest, known))
        continue
      }
      const size = known === null ? null : await plainSize(held.at(name))
      if (known !== null && size !== null) sizes.set(known, (sizes.get(known) ?? 0) + size)
    }
  }
  await inFolder(folder, (held) => walk(held, file.split('/'), null))
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
