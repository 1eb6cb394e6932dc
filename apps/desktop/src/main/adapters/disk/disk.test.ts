import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDisk } from './disk'

const disk = createDisk()
const all = Number.MAX_SAFE_INTEGER
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-disk-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the size of a folder', () => {
  it('adds up what lies below it', async () => {
    await mkdir(join(folder, 'a/b'), { recursive: true })
    await writeFile(join(folder, 'a/b/file'), Buffer.alloc(100_000, 1))
    const size = await disk.sizeOf(folder, all)
    expect(size.bytes).toBeGreaterThanOrEqual(100_000)
    expect(size.isComplete).toBe(true)
  })

  it('follows no link, not even one to itself', async () => {
    const { bytes: before } = await disk.sizeOf(folder, all)
    await symlink('/usr', join(folder, 'out'))
    await symlink(folder, join(folder, 'self'))
    expect((await disk.sizeOf(folder, all)).bytes - before).toBeLessThan(20_000)
  })

  it('counts a file with several names once', async () => {
    await writeFile(join(folder, 'one'), Buffer.alloc(50_000, 1))
    const { bytes: before } = await disk.sizeOf(folder, all)
    await link(join(folder, 'one'), join(folder, 'two'))
    expect((await disk.sizeOf(folder, all)).bytes).toBe(before)
  })

  it('stops counting at the bound and says so', async () => {
    for (let n = 0; n < 200; n += 1) await writeFile(join(folder, `f${n}`), Buffer.alloc(10_000, 1))
    const size = await disk.sizeOf(folder, 100_000)
    expect(size.isComplete).toBe(false)
    expect(size.files).toBeLessThan(200)
  })

  it('is nothing for a folder that is not there', async () => {
    expect(await disk.sizeOf(join(folder, 'absent'), all)).toEqual({ bytes: 0, files: 0, isComplete: true })
  })

  it('knows how much room is left', async () => {
    expect(await disk.freeBytes(folder)).toBeGreaterThan(0)
    expect(await disk.freeBytes(join(folder, 'absent'))).toBeNull()
  })
})
