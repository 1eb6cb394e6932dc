import { renameSync, symlinkSync } from 'node:fs'
import { link, lstat, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import type * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDisk } from './disk'

vi.mock('node:fs/promises', async (importActual) => {
  const actual = await importActual<typeof files>()
  return { ...actual, lstat: vi.fn<typeof files.lstat>(actual.lstat) }
})

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

  it('counts nothing behind a link that takes the place of a folder once that was seen', async () => {
    await mkdir(join(folder, 'state', 'own'), { recursive: true })
    await mkdir(join(folder, 'elsewhere'))
    await writeFile(join(folder, 'elsewhere', 'large'), Buffer.alloc(500_000, 1))
    const own = join(folder, 'state', 'own')
    const actual = await vi.importActual<typeof files>('node:fs/promises')
    vi.mocked(lstat).mockImplementation(async (path, ...how) => {
      const stats = await actual.lstat(path, ...how)
      if (String(path).endsWith('/own')) {
        renameSync(own, join(folder, 'moved'))
        symlinkSync(join(folder, 'elsewhere'), own)
      }
      return stats
    })
    const size = await disk.sizeOf(join(folder, 'state'), all)
    vi.mocked(lstat).mockImplementation(actual.lstat)
    expect(size).toMatchObject({ files: 1, isComplete: false })
    expect(size.bytes).toBeLessThan(100_000)
  })

  it('counts nothing below another folder that was put above it meanwhile', async () => {
    await mkdir(join(folder, 'state', 'a', 'b'), { recursive: true })
    await mkdir(join(folder, 'elsewhere', 'b'), { recursive: true })
    await writeFile(join(folder, 'elsewhere', 'b', 'large'), Buffer.alloc(500_000, 1))
    const above = join(folder, 'state', 'a')
    const actual = await vi.importActual<typeof files>('node:fs/promises')
    vi.mocked(lstat).mockImplementation(async (path, ...how) => {
      const stats = await actual.lstat(path, ...how)
      if (String(path).endsWith('/b')) {
        renameSync(above, join(folder, 'moved'))
        symlinkSync(join(folder, 'elsewhere'), above)
      }
      return stats
    })
    const size = await disk.sizeOf(join(folder, 'state'), all)
    vi.mocked(lstat).mockImplementation(actual.lstat)
    expect(size).toMatchObject({ files: 2, isComplete: false })
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
