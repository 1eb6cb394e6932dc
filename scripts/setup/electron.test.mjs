import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ensureElectron } from './electron.mjs'

let folder

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'alfred-electron-'))
  fs.writeFileSync(path.join(folder, 'version'), 'v1.2.3\n')
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
  vi.stubEnv('ALFRED_ELECTRON', 'fallback') // no download is tried
  vi.stubEnv('ALFRED_ELECTRON_DIST', folder)
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  fs.rmSync(folder, { recursive: true, force: true })
})

it('takes the runtime in a folder that somebody names', async () => {
  expect(await ensureElectron({})).toMatchObject({ kind: 'override', version: '1.2.3', dist: folder })
})

it('takes no such folder where only the official runtime will do: it may hold the fallback', async () => {
  await expect(ensureElectron({ officialOnly: true })).rejects.toThrow('on the official Electron only')
})
