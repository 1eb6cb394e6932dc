import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureDataFolder, findDataFolder } from './data-folder'

describe('findDataFolder', () => {
  const home = '/home/mia'

  it.each([
    ['ALFRED_HOME goes first', 'linux', { ALFRED_HOME: '/data/a', XDG_DATA_HOME: '/x' }, '/data/a'],
    ['linux follows XDG_DATA_HOME', 'linux', { XDG_DATA_HOME: '/x' }, '/x/alfred'],
    ['linux ignores a relative XDG_DATA_HOME', 'linux', { XDG_DATA_HOME: 'x' }, '/home/mia/.local/share/alfred'],
    ['linux has a default', 'linux', {}, '/home/mia/.local/share/alfred'],
    ['an empty ALFRED_HOME counts as unset', 'linux', { ALFRED_HOME: '' }, '/home/mia/.local/share/alfred'],
    ['macOS has Application Support', 'darwin', {}, '/home/mia/Library/Application Support/alfred'],
    ['Windows has LOCALAPPDATA', 'win32', { LOCALAPPDATA: 'C:\\L' }, 'C:\\L\\alfred'],
  ] as const)('%s', (_, platform, env, folder) => {
    expect(findDataFolder({ env, platform, home })).toBe(folder)
  })
})

describe('ensureDataFolder', () => {
  let place: string
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'alfred-data-'))
  })
  afterEach(() => {
    rmSync(place, { recursive: true, force: true })
  })

  it('makes the folder and its parents for this user only', () => {
    const folder = join(place, 'share', 'alfred')
    expect(ensureDataFolder(folder)).toEqual({ ok: true, value: folder })
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('closes a folder that was open to others', () => {
    const folder = join(place, 'open')
    mkdirSync(folder, { mode: 0o755 })
    ensureDataFolder(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('says so when a file is in the way', () => {
    writeFileSync(join(place, 'file'), '')
    expect(ensureDataFolder(join(place, 'file', 'alfred'))).toMatchObject({ error: { type: 'not_writable' } })
  })
})
