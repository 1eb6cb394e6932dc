import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Files below a folder that hold these words. */
export async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const content = await readFile(path).catch(() => null)
    if (content?.includes(text) === true) found.push(path)
  }
  return found
}
