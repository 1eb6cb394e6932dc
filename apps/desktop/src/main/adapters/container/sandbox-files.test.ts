import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
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
  expect(readdirSync(join(dataFolder, '.sandbox')).toSorted()).toEqual(['alfred-entry', 'gitconfig', 'group-1000-1000', 'passwd-1000-1000'])
})
