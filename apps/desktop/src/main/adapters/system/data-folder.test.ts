import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureDataFolder } from './data-folder'

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

  it('leaves the mode of a folder that is there', () => {
    const folder = join(place, 'open')
    mkdirSync(folder, { mode: 0o755 })
    expect(ensureDataFolder(folder).ok).toBe(true)
    expect(statSync(folder).mode & 0o777).toBe(0o755)
  })

  it('says so when a file is in the way', () => {
    writeFileSync(join(place, 'file'), '')
    for (const folder of [join(place, 'file'), join(place, 'file', 'alfred')])
      expect(ensureDataFolder(folder)).toEqual({
        ok: false,
        error: { type: 'not_writable', message: 'a file is in the way' },
      })
  })

  it('takes a link to a folder, and says so when one leads nowhere', () => {
    symlinkSync(place, join(place, 'link'))
    symlinkSync(join(place, 'nowhere'), join(place, 'lost'))
    expect(ensureDataFolder(join(place, 'link', 'alfred')).ok).toBe(true)
    expect(ensureDataFolder(join(place, 'link')).ok).toBe(true)
    expect(ensureDataFolder(join(place, 'lost'))).toMatchObject({
      error: { message: 'a file is in the way' },
    })
  })

  it.runIf(process.platform === 'linux')('says so where a file system lets nothing be made, and ends', () => {
    for (const folder of ['/proc/alfred', '/proc/alfred/data'])
      expect(ensureDataFolder(folder)).toEqual({
        ok: false,
        error: { type: 'not_writable', message: 'no folder can be made there' },
      })
  })
})
