import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'

/*
 * git's own objects, written without git: seeding a repository would start it several times else, and tests seed
 * hundreds.
 */

const pack = promisify(deflate)

/** Contents by path. */
export type Files = Readonly<Record<string, string>>

async function writeObject(
  folder: string,
  type: 'blob' | 'tree' | 'commit',
  content: Buffer,
): Promise<string> {
  const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  const sha = createHash('sha1').update(whole).digest('hex')
  const place = path.join(folder, 'objects', sha.slice(0, 2))
  await mkdir(place, { recursive: true })
  await writeFile(path.join(place, sha.slice(2)), await pack(whole))
  return sha
}

/** The sha of a tree with these files. */
async function writeTree(folder: string, files: Files): Promise<string> {
  const below = new Map<string, Record<string, string>>()
  const entries: { readonly name: string; readonly mode: string; readonly sha: string }[] = []
  for (const [file, text] of Object.entries(files)) {
    const slash = file.indexOf('/')
    if (slash < 0) {
      entries.push({ name: file, mode: '100644', sha: await writeObject(folder, 'blob', Buffer.from(text)) })
      continue
    }
    const name = file.slice(0, slash)
    const inside = below.get(name) ?? {}
    inside[file.slice(slash + 1)] = text
    below.set(name, inside)
  }
  for (const [name, inside] of below)
    entries.push({ name, mode: '40000', sha: await writeTree(folder, inside) })
  // git sorts a folder as if its name ended in a slash.
  const key = ({ name, mode }: { readonly name: string; readonly mode: string }): Buffer =>
    Buffer.from(mode === '40000' ? `${name}/` : name)
  entries.sort((a, b) => Buffer.compare(key(a), key(b)))
  const lines = entries.map(({ name, mode, sha }) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(sha, 'hex')]),
  )
  return writeObject(folder, 'tree', Buffer.concat(lines))
}

/** The sha of a commit with exactly these files. */
export async function writeCommit(
  folder: string,
  commit: {
    readonly parent: string | null
    readonly files: Files
    readonly message: string
    readonly by: { readonly name: string; readonly email: string }
    readonly atSeconds: number
  },
): Promise<string> {
  const tree = await writeTree(folder, commit.files)
  const who = `${commit.by.name} <${commit.by.email}> ${commit.atSeconds} +0000`
  const parent = commit.parent === null ? '' : `parent ${commit.parent}\n`
  const text = `tree ${tree}\n${parent}author ${who}\ncommitter ${who}\n\n${commit.message.trimEnd()}\n`
  return writeObject(folder, 'commit', Buffer.from(text))
}

export async function writeRef(folder: string, ref: string, sha: string): Promise<void> {
  const file = path.join(folder, ref)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, `${sha}\n`)
}
