import { chmodSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { profileFolder } from './profile-folder'

let folder: string
let inTheWay: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-profile-'))
  inTheWay = join(folder, 'a-file')
  writeFileSync(inTheWay, '')
  vi.stubEnv('TMPDIR', folder)
  vi.stubEnv('TEMP', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})
const made = () => readdirSync(folder).filter((name) => name.startsWith('alfred-window-'))

it('lies in the data folder', () => {
  expect(profileFolder(join(folder, 'data'))).toBe(join(folder, 'data', 'window'))
  expect(made()).toEqual([])
})

it('is one and the same beside a data folder that cannot be used, however often the window opens', () => {
  const first = profileFolder(inTheWay)
  expect(profileFolder(inTheWay)).toBe(first)
  expect(profileFolder(join(inTheWay, 'another'))).not.toBe(first)
  expect(made()).toHaveLength(2)
})

it.runIf(process.platform !== 'win32')('is never where others have a hand in it', () => {
  const first = profileFolder(inTheWay)
  chmodSync(first, 0o777)
  const second = profileFolder(inTheWay)
  expect(second).not.toBe(first)
  rmSync(first, { recursive: true })
  symlinkSync(second, first)
  expect([first, second]).not.toContain(profileFolder(inTheWay))
})
