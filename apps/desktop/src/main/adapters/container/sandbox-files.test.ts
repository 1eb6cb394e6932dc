import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandboxFiles } from './sandbox-files'

const user = { uid: 1000, gid: 1000 }
let dataFolder: string

beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'alfred-sandbox-files-'))
})
afterEach(() => rmSync(dataFolder, { recursive: true, force: true }))

it('gives many runs that start at once the same whole files, and leaves nothing beside them', async () => {
  const files = createSandboxFiles({ resourcesFolder: resolve('resources'), dataFolder })
  const all = await Promise.all(Array.from({ length: 20 }, () => files.fixedFiles(user)))
  expect(new Set(all.map(({ group }) => group)).size).toBe(1)
  expect(readFileSync(all[0]?.group ?? '', 'utf8')).toContain(':1000:')
  expect(readdirSync(join(dataFolder, '.sandbox')).toSorted()).toEqual([
    'alfred-entry',
    'gitconfig',
    'group-1000-1000',
    'passwd-1000-1000',
  ])
})

const isRoot = process.getuid?.() === 0
/** Who owns what in the test: as root the sandbox's user, else nobody can give anything away. */
const owner = isRoot ? user.uid : process.getuid?.()

describe('a folder for the sandbox', () => {
  const ensure = (path: string) =>
    createSandboxFiles({ resourcesFolder: resolve('resources'), dataFolder }).ensureFolder(path, user)

  it('is made for its user alone', async () => {
    const path = join(dataFolder, 'workspaces', 'one')
    await ensure(path)
    expect(lstatSync(path).uid).toBe(owner)
    expect(lstatSync(path).mode & 0o777).toBe(0o700)
  })

  it('is given away although an end came between making it and giving it away', async () => {
    const path = join(dataFolder, 'left')
    mkdirSync(path, { mode: 0o700 })
    writeFileSync(join(path, 'inside'), 'x')
    await ensure(path)
    expect(lstatSync(path).uid).toBe(owner)
    expect(lstatSync(join(path, 'inside')).uid).toBe(process.getuid?.())
  })

  it('is never reached through a link', async () => {
    const outside = join(dataFolder, 'outside')
    mkdirSync(outside)
    symlinkSync(outside, join(dataFolder, 'link'))
    await ensure(join(dataFolder, 'link')).catch(() => undefined)
    expect(lstatSync(outside).uid).toBe(process.getuid?.())
  })
})
