import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureSocketFolder, socketPath } from './socket-path'

const places = {
  platform: 'linux',
  runtimeFolder: '/run/user/1000',
  temporaryFolder: '/tmp',
  userId: 1000,
} as const
const deep = `/home/mia/${'folder/'.repeat(14)}alfred`

describe('socketPath', () => {
  it('lies in the data folder', () => {
    expect(socketPath('/home/mia/.local/share/alfred', places)).toBe(
      '/home/mia/.local/share/alfred/engine.sock',
    )
  })

  it('counts bytes, not characters', () => {
    const folder = `/home/${'ü'.repeat(45)}`
    expect(folder.length).toBeLessThan(60)
    expect(socketPath(folder, places)).toMatch(/^\/run\/user\/1000\/alfred-[0-9a-f]{24}\.sock$/)
  })

  it('moves to the runtime folder, else to a private temporary one, under a hash of the data folder', () => {
    expect(socketPath(deep, places)).toMatch(/^\/run\/user\/1000\/alfred-[0-9a-f]{24}\.sock$/)
    expect(socketPath(deep, { ...places, runtimeFolder: undefined })).toMatch(
      /^\/tmp\/alfred-1000\/[0-9a-f]{24}\.sock$/,
    )
    expect(socketPath(deep, { ...places, runtimeFolder: deep, temporaryFolder: deep })).toMatch(
      /^\/tmp\/alfred-1000\//,
    )
    expect(socketPath(deep, places)).not.toBe(socketPath(`${deep}2`, places))
  })

  it('is a named pipe on Windows', () => {
    expect(socketPath('C:\\data', { ...places, platform: 'win32' })).toMatch(
      /^\\\\\.\\pipe\\alfred-[0-9a-f]{24}$/,
    )
  })
})

describe('ensureSocketFolder', () => {
  const userId = process.getuid?.() ?? 0
  let place: string
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'sock-'))
  })
  afterEach(() => {
    rmSync(place, { recursive: true, force: true })
  })

  it('makes the private folder', () => {
    const folder = join(place, `alfred-${userId}`)
    expect(ensureSocketFolder(join(folder, 'a.sock'), '/data', userId).ok).toBe(true)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('has nothing to say about the data folder itself, whatever its name', () => {
    const folder = join(place, `alfred-${userId}`)
    mkdirSync(folder, { mode: 0o755 })
    expect(ensureSocketFolder(join(folder, 'engine.sock'), folder, userId).ok).toBe(true)
  })

  it.each([
    ['is open to others', (folder: string) => [mkdirSync(folder), chmodSync(folder, 0o777)]],
    ['is a link', (folder: string) => symlinkSync(tmpdir(), folder)],
  ])('refuses one that %s', (_, make) => {
    const folder = join(place, `alfred-${userId}`)
    make(folder)
    expect(ensureSocketFolder(join(folder, 'a.sock'), '/data', userId)).toMatchObject({
      error: { type: 'not_writable' },
    })
  })

  it('refuses one that another user made', () => {
    const folder = join(place, `alfred-${userId + 1}`)
    mkdirSync(folder, { mode: 0o700 })
    expect(ensureSocketFolder(join(folder, 'a.sock'), '/data', userId + 1).ok).toBe(false)
  })
})
