import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DataRemover } from '@main/ports/data-remover'
import { createDataRemover } from './data-remover'

let folder: string
let data: string
let remover: DataRemover
const workspace = () => join(data, 'workspaces', 'one')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-remover-'))
  data = join(folder, 'data')
  mkdirSync(workspace(), { recursive: true })
  remover = createDataRemover(data)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('removing folders of the data folder', () => {
  it('takes a folder away in one step and deletes it afterwards', async () => {
    writeFileSync(join(workspace(), 'file'), 'x')
    expect(remover.setAside(workspace())).toBe(true)
    expect(existsSync(workspace())).toBe(false)
    expect(remover.setAside(workspace())).toBe(false)
    expect(await remover.sweep()).toEqual([])
    expect(readdirSync(join(data, 'workspaces'))).toEqual([])
  })

  it('finishes what a crash left, and touches nothing else', async () => {
    remover.setAside(workspace())
    mkdirSync(join(data, 'workspaces', 'two'))
    await createDataRemover(data).sweep()
    expect(readdirSync(join(data, 'workspaces'))).toEqual(['two'])
  })

  it('removes links as links', async () => {
    const outside = join(folder, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'precious'), 'x')
    symlinkSync(outside, join(workspace(), 'link'))
    symlinkSync(outside, join(data, 'workspaces', 'whole'))
    remover.setAside(workspace())
    remover.setAside(join(data, 'workspaces', 'whole'))
    expect(await remover.sweep()).toEqual([])
    expect(readdirSync(outside)).toEqual(['precious'])
    expect(readdirSync(join(data, 'workspaces'))).toEqual([])
  })

  it('refuses what does not lie in the data folder, by name or by a link on the way', () => {
    const outside = join(folder, 'outside')
    mkdirSync(join(outside, 'one'), { recursive: true })
    symlinkSync(outside, join(data, 'repositories'))
    for (const path of [
      join(outside, 'one'),
      join(data, '..', 'outside', 'one'),
      join(data, 'repositories', 'one'),
      data,
    ])
      expect(() => remover.setAside(path)).toThrow('left alone')
    expect(readdirSync(outside)).toEqual(['one'])
  })

  it('deletes files of another user, where the system lets it', async () => {
    if (process.getuid?.() !== 0) return
    writeFileSync(join(workspace(), 'file'), 'x')
    for (const path of [join(workspace(), 'file'), workspace()]) chownSync(path, 4242, 4242)
    remover.setAside(workspace())
    expect(await remover.sweep()).toEqual([])
  })

  it('opens folders that an agent closed, tells what it may not delete, and keeps it for the next time', async () => {
    const closed = join(workspace(), 'cache')
    mkdirSync(closed)
    writeFileSync(join(closed, 'file'), 'x')
    const foreign = join(data, 'workspaces', 'foreign')
    mkdirSync(foreign)
    writeFileSync(join(foreign, 'file'), 'x')
    await asOrdinaryUser(async () => {
      chmodSync(closed, 0o555)
      expect(remover.setAside(workspace())).toBe(true)
      expect(await remover.sweep()).toEqual([])
      if (!isRoot) return
      expect(remover.setAside(foreign)).toBe(true)
      expect(await remover.sweep()).toMatchObject([{ message: expect.stringContaining('EACCES') as string }])
    })
    if (isRoot) expect(await remover.sweep()).toEqual([])
  })
})

const isRoot = process.getuid?.() === 0

/** Root may delete everything, so as root the test gives all but `foreign` to another user and acts as that one. */
async function asOrdinaryUser(act: () => Promise<void>): Promise<void> {
  if (!isRoot) return act()
  for (const path of [
    folder,
    data,
    join(data, 'workspaces'),
    workspace(),
    join(workspace(), 'cache'),
    join(workspace(), 'cache', 'file'),
  ])
    chownSync(path, 4242, 4242)
  process.seteuid?.(4242)
  try {
    await act()
  } finally {
    process.seteuid?.(0)
  }
}
