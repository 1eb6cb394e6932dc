import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTrayHint, trayHint } from './tray-hint'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-hint-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('is said on Windows alone, and once over all starts', () => {
  const said: unknown[] = []
  const file = join(folder, 'told')
  const start = (platform: NodeJS.Platform) =>
    createTrayHint({ platform, file, say: (hint) => void said.push(hint) })
  start('linux')()
  expect(said).toEqual([])
  const hidden = start('win32')
  hidden()
  hidden()
  start('win32')()
  expect(said).toEqual([trayHint])
})
