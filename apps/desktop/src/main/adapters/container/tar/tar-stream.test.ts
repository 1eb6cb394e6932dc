import { execFileSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tarStream, type TarEntry } from './tar-stream'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tar-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function unpacked(entries: readonly TarEntry[]): Promise<string> {
  const archive = join(folder, 'x.tar')
  await pipeline(tarStream(entries), createWriteStream(archive))
  const target = join(folder, 'unpacked')
  execFileSync('mkdir', ['-p', target])
  execFileSync('tar', ['-xf', archive, '-C', target])
  return target
}

describe('the tar writer', () => {
  it('writes what tar reads: files, texts, folders and links', async () => {
    const source = join(folder, 'source')
    await writeFile(source, Buffer.alloc(1_500_000, 7))
    const target = await unpacked([
      { kind: 'folder', path: 'deep', mode: 0o755 },
      { kind: 'file', path: 'deep/big', source, mode: 0o755 },
      { kind: 'text', path: 'words', text: 'Grüße\n', mode: 0o644 },
      { kind: 'link', path: 'link', target: 'deep/big' },
      { kind: 'text', path: 'empty', text: '', mode: 0o644 },
    ])
    expect((await readFile(join(target, 'deep/big'))).equals(await readFile(source))).toBe(true)
    expect((await stat(join(target, 'deep/big'))).mode & 0o777).toBe(0o755)
    expect(await readFile(join(target, 'words'), 'utf8')).toBe('Grüße\n')
    expect(await readlink(join(target, 'link'))).toBe('deep/big')
    expect((await stat(join(target, 'empty'))).size).toBe(0)
  })

  it('keeps names of more than a hundred bytes', async () => {
    const name = `${'long-'.repeat(40)}é.txt`
    const target = await unpacked([
      { kind: 'text', path: name, text: 'x', mode: 0o644 },
      { kind: 'link', path: 'l', target: name },
    ])
    expect(await readFile(join(target, name), 'utf8')).toBe('x')
    expect(await readlink(join(target, 'l'))).toBe(name)
  })

  it('fails when a file cannot be read', async () => {
    const missing = tarStream([{ kind: 'file', path: 'x', source: join(folder, 'missing'), mode: 0o644 }])
    await expect(pipeline(missing, createWriteStream(join(folder, 'y.tar')))).rejects.toThrow('ENOENT')
  })
})
