import Database from 'better-sqlite3'
import { execFileSync } from 'node:child_process'
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import type * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findNativeBinding } from '../db/native-binding'
import { putAside } from './put-aside'

vi.mock('node:fs/promises', async (importActual) => {
  const actual = await importActual<typeof files>()
  return { ...actual, rename: vi.fn<typeof files.rename>(actual.rename) }
})

const nativeBinding = findNativeBinding(process.env, undefined)
let folder: string
let state: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-aside-'))
  state = join(folder, 'opencode')
  file = join(state, 'sessions.db')
  await mkdir(state)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const put = () => putAside({ stagingFolder: join(folder, 'staging'), nativeBinding }, state, 'sessions.db')
/** What lies beside the state, and that no copy of it does. */
const beside = async (): Promise<readonly string[]> => {
  expect(await readdir(join(folder, 'staging')).catch(() => [])).toEqual([])
  return (await readdir(folder)).filter((name) => name !== 'staging').toSorted()
}
function write(): void {
  const db = new Database(file, nativeBinding === undefined ? {} : { nativeBinding })
  db.pragma('journal_mode = WAL')
  db.exec('CREATE TABLE session (id text PRIMARY KEY, words text); CREATE INDEX i ON session (words)')
  const add = db.prepare('INSERT INTO session VALUES (?, ?)')
  for (let number = 0; number < 500; number += 1) add.run(`s${number}`, `what was said ${number}`)
  db.close()
}

/** What makes a database one that no run can read. */
const faults: Readonly<Record<string, () => Promise<unknown>>> = {
  'is none': () => writeFile(file, 'not what was written'),
  'is gone': () => rm(file),
  'is a folder': async () => {
    await rm(file)
    await mkdir(file)
  },
  'is a link': async () => {
    await rm(file)
    await symlink('/dev/null', file)
  },
  'is a FIFO': async () => {
    await rm(file)
    execFileSync('mkfifo', [file])
  },
  'is torn': () => truncate(file, 8192),
  'has a page that was written over': async () => {
    const handle = await open(file, 'r+')
    await handle.write(Buffer.alloc(4096, 7), 0, 4096, 4096)
    await handle.close()
  },
  'cannot be read by its owner': () => chmod(file, 0o000),
  'has a folder where its log is': () => mkdir(`${file}-wal`),
}

describe('a state that its CLI says it cannot read', () => {
  it.each(Object.entries(faults))('is put aside where its database %s', async (_what, spoil) => {
    write()
    await spoil()
    expect(await put()).toEqual({ type: 'put_aside' })
    expect(await beside()).toEqual(['opencode.unusable-1'])
  })

  it('is left alone where its database is whole, whatever the CLI says', async () => {
    write()
    const before = await readFile(file)
    await writeFile(`${file}-wal`, 'a log of which SQLite makes nothing')
    expect(await put()).toEqual({ type: 'whole' })
    expect(await beside()).toEqual(['opencode'])
    expect((await readFile(file)).equals(before)).toBe(true)
    expect((await readdir(state)).toSorted()).toEqual(['sessions.db', 'sessions.db-wal'])
  })

  it('is left alone where nobody can look at it', async () => {
    write()
    await truncate(file, 1_000_000_001)
    expect(await put()).toEqual({ type: 'not_looked_at', why: 'it has 1.0 GB' })
    await truncate(file, 8192)
    await link(file, join(folder, 'second-name'))
    expect(await put()).toEqual({ type: 'not_looked_at', why: 'it cannot be opened' })
    await rm(join(folder, 'second-name'))
    await writeFile(join(folder, 'staging'), 'in the way')
    expect(await put()).toMatchObject({
      type: 'not_looked_at',
      why: expect.stringMatching(/ENOTDIR|EEXIST/) as string,
    })
    expect(await readdir(folder)).toContain('opencode')
  })

  it('that cannot be renamed is told, and stays', async () => {
    await writeFile(file, 'not what was written')
    vi.mocked(rename).mockRejectedValueOnce(Object.assign(new Error('refused'), { code: 'EPERM' }))
    expect(await put()).toEqual({ type: 'not_renamed', why: 'EPERM' })
    expect(await beside()).toEqual(['opencode'])
  })

  it('gets each time a name of its own, and none where it is not there', async () => {
    for (const text of ['first', 'second']) {
      await mkdir(state, { recursive: true })
      await writeFile(file, text)
      expect(await put()).toEqual({ type: 'put_aside' })
      expect(await put()).toEqual({ type: 'not_there' })
    }
    expect(await beside()).toEqual(['opencode.unusable-1', 'opencode.unusable-2'])
    expect(await readFile(join(folder, 'opencode.unusable-2', 'sessions.db'), 'utf8')).toBe('second')
  })
})
