import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { chmod, link, lstat, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import type * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDisk } from '../disk/disk'
import { createSessionStates } from './session-states'

vi.mock('node:fs/promises', async (importActual) => {
  const actual = await importActual<typeof files>()
  return { ...actual, lstat: vi.fn<typeof files.lstat>(actual.lstat) }
})

const states = createSessionStates(createDisk(), { stagingFolder: '/not/used', nativeBinding: undefined })
let folder: string
const put = async (name: string, text: string): Promise<void> => {
  await mkdir(join(folder, name, '..'), { recursive: true })
  await writeFile(join(folder, name), text)
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-state-'))
})
// One test makes more files than a busy disk removes in a while.
afterEach(() => rm(folder, { recursive: true, force: true }), 60_000)

describe('a look at session state', () => {
  it('tells size and time of a session whose first record is readable', async () => {
    await put('sessions/a.jsonl', '{"id":"a"}\n{"more":1}\n')
    expect(await states.look(folder, 'sessions/a.jsonl')).toEqual({
      preflight: 'ok',
      bytes: 22,
      savedAt: expect.any(Number),
      isReadOnly: false,
    })
  })

  it.each([
    [0o644, 'ok', false],
    [0o444, 'ok', true],
    [0o000, 'unreadable', false],
    [0o200, 'unreadable', false],
  ])(
    'tells what its owner may do with a file of mode %o, whoever looks',
    async (mode, preflight, isReadOnly) => {
      await put('a.jsonl', '{}\n')
      await put('folder/db', 'x')
      await chmod(join(folder, 'a.jsonl'), mode)
      await chmod(join(folder, 'folder/db'), mode)
      const ofRoot = process.getuid?.() === 0 || preflight === 'ok'
      expect(await states.look(folder, 'a.jsonl')).toMatchObject({
        preflight,
        isReadOnly,
        ...(ofRoot ? { bytes: 3 } : {}),
      })
      expect(await states.look(join(folder, 'folder'), null)).toMatchObject({
        preflight: 'unknown',
        isReadOnly,
      })
    },
  )

  it('finds a session read-only of whose own folder a part is, and not by what others left beside it', async () => {
    const id = '0f3b9a52-5c1e-4d7a-9b60-2f1f0c9d8e77'
    for (const file of [
      `${id}/history.jsonl`,
      `${id}/summary.json`,
      `shared/${id}.jsonl`,
      'shared/other.jsonl',
    ])
      await put(file, '{}\n')
    const look = (file: string) => states.look(folder, file)
    expect(await look(`${id}/history.jsonl`)).toMatchObject({ isReadOnly: false })
    await chmod(join(folder, id, 'summary.json'), 0o444)
    await chmod(join(folder, 'shared/other.jsonl'), 0o444)
    expect(await look(`${id}/history.jsonl`)).toMatchObject({ preflight: 'ok', isReadOnly: true })
    expect(await look(`shared/${id}.jsonl`)).toMatchObject({ preflight: 'ok', isReadOnly: false })
  })

  it('finds a folder read-only in which nothing can be made', async () => {
    await put('folder/db', 'x')
    await chmod(join(folder, 'folder'), 0o500)
    expect(await states.look(join(folder, 'folder'), null)).toMatchObject({ isReadOnly: true })
    await chmod(join(folder, 'folder'), 0o700)
    expect(await states.look(join(folder, 'folder'), null)).toMatchObject({ isReadOnly: false })
  })

  it.each([
    ['missing', 'absent.jsonl'],
    ['empty', 'empty.jsonl'],
    ['unreadable', 'broken.jsonl'],
    ['unreadable', 'number.jsonl'],
    ['unreadable', 'session-b.jsonl'],
    ['ok', 'session-a.jsonl'],
    ['ok', 'sessions.db'],
    ['unreadable', 'broken.db'],
  ])('finds %s state: %s', async (preflight, file) => {
    await put('sessions.db', 'SQLite format 3\0rows')
    await put('broken.db', 'SQLite')
    await put('empty.jsonl', '')
    await put('broken.jsonl', '{"id":')
    await put('number.jsonl', '7\n')
    for (const file of ['session-a.jsonl', 'session-b.jsonl'])
      await put(file, '{"type":"title","sessionId":"session-a"}\n')
    expect(await states.look(folder, file)).toMatchObject({ preflight })
  })

  it('follows no link and leaves the folder by no path', async () => {
    await put('real/a.jsonl', '{}\n')
    await symlink(join(folder, 'real/a.jsonl'), join(folder, 'link.jsonl'))
    await symlink(join(folder, 'real'), join(folder, 'dir'))
    for (const file of ['link.jsonl', 'dir/a.jsonl', '../x/a.jsonl', '/etc/passwd'])
      expect(await states.look(folder, file)).toMatchObject({ preflight: 'missing', bytes: null })
  })

  it('finds a session of which it knows no more than a part of the name, and takes the newest', async () => {
    const rollout = (day: string): string => `2026/11/${day}/rollout-${day}T10-id-a.jsonl`
    const meta = (id: string): string => `${JSON.stringify({ type: 'session_meta', payload: { id } })}\n`
    const look = () => states.look(folder, '*/*/*/rollout-*-id-a.jsonl')
    expect(await look()).toMatchObject({ preflight: 'missing', bytes: null })
    await put('2026/11/28/rollout-28T10-id-b.jsonl', meta('id-b'))
    await put('2026/11/30/notes.txt', '')
    await put('2026/11/27/rollout-27T09-id-a.jsonl', '')
    expect(await look()).toMatchObject({ preflight: 'empty' })
    await put(rollout('29'), meta('id-a'))
    expect(await look()).toMatchObject({ preflight: 'ok', bytes: meta('id-a').length })
    await put(rollout('30'), meta('id-b'))
    expect(await look()).toMatchObject({ preflight: 'unreadable' })
    expect(await states.removeFile(folder, '*/*/*/rollout-*-id-a.jsonl')).toBe(true)
    expect(await look()).toMatchObject({ preflight: 'ok' })
  })

  it('looks behind no link, and at no more than it can in a while', async () => {
    await put('real/11/29/rollout-1-id-a.jsonl', '{}\n')
    await mkdir(join(folder, 'state'))
    await symlink(join(folder, 'real'), join(folder, 'state/2026'))
    const look = () => states.look(join(folder, 'state'), '*/*/*/rollout-*-id-a.jsonl')
    expect(await look()).toMatchObject({ preflight: 'missing' })
    await put('state/0000/11/29/rollout-1-id-a.jsonl', '{}\n')
    expect(await look()).toMatchObject({ preflight: 'ok' })
    const names = Array.from({ length: 20_001 }, (_, index) => join(folder, 'state', `1${index}`))
    for (const name of names) mkdirSync(name)
    expect(await look()).toMatchObject({ preflight: 'missing' })
  })

  it('reads nothing that has a second name, is a FIFO, or lies behind a folder that is none', async () => {
    await put('elsewhere/secret', '{"secret":1}\n')
    await put('a/session.jsonl', '{"id":1}\n')
    execFileSync('mkfifo', [join(folder, 'pipe.jsonl')])
    execFileSync('mkfifo', [join(folder, 'pipe')])
    await link(join(folder, 'elsewhere/secret'), join(folder, 'hard.jsonl'))
    await symlink(join(folder, 'a'), join(folder, 'b'))
    expect(await states.look(folder, 'hard.jsonl')).toMatchObject({ preflight: 'unreadable', bytes: null })
    for (const file of ['pipe.jsonl', 'pipe/session.jsonl', 'b/session.jsonl', 'hard.jsonl/session.jsonl'])
      expect(await states.look(folder, file)).toMatchObject({ preflight: 'missing', bytes: null })
    for (const file of ['pipe.jsonl', 'pipe/x', 'hard.jsonl', 'b/session.jsonl']) {
      expect(await states.linesBehind(folder, file, 0)).toEqual([])
      expect(await states.removeFile(folder, file)).toBe(false)
    }
    expect(await states.linesBehind(folder, 'a/session.jsonl', 0)).toEqual(['{"id":1}', ''])
  })

  it('is not led elsewhere by a link that takes the place of a folder under its eyes', async () => {
    const id = '0f3b9a52-5c1e-4d7a-9b60-2f1f0c9d8e77'
    const state = join(folder, 'state')
    await put(`state/own/${id}.jsonl`, '{"own":1}\n')
    await put(`elsewhere/${id}.jsonl`, '{"secret":"of somebody else"}\n')
    const own = join(state, 'own')
    const actual = await vi.importActual<typeof files>('node:fs/promises')
    /** As soon as the folder was looked at, or the file in it, a link is there in its place. */
    vi.mocked(lstat).mockImplementation(async (path, ...how) => {
      const stats = await actual.lstat(path, ...how)
      if (String(path).endsWith(`${id}.jsonl`) && existsSync(`${own}`) && !existsSync(`${own}-moved`)) {
        renameSync(own, `${own}-moved`)
        symlinkSync(join(folder, 'elsewhere'), own)
      }
      return stats
    })
    expect(await states.linesBehind(state, `own/${id}.jsonl`, 0)).toEqual(['{"own":1}', ''])
    vi.mocked(lstat).mockImplementation(actual.lstat)
    expect(await states.look(state, `own/${id}.jsonl`)).toMatchObject({ preflight: 'missing' })
    expect(await states.list(state, 'own/{id}.jsonl')).toEqual({})
  })

  it('looks at the whole folder where a CLI has no file per session', async () => {
    expect(await states.look(folder, null)).toEqual({
      preflight: 'unknown',
      bytes: null,
      savedAt: null,
      isReadOnly: false,
    })
    await put('db', 'x'.repeat(5_000))
    expect(await states.look(folder, null)).toMatchObject({
      preflight: 'unknown',
      bytes: expect.any(Number),
      savedAt: expect.any(Number),
    })
  })

  it('reads what was added to a file, and nothing where nothing was', async () => {
    await put('a.jsonl', 'first\n')
    expect(await states.linesBehind(folder, 'a.jsonl', 6)).toEqual([])
    await put('a.jsonl', 'first\nsecond\nthird')
    expect(await states.linesBehind(folder, 'a.jsonl', 6)).toEqual(['second', 'third'])
    expect(await states.linesBehind(folder, 'a.jsonl', 99)).toEqual([])
    await symlink(join(folder, 'a.jsonl'), join(folder, 'link.jsonl'))
    for (const file of ['link.jsonl', 'absent.jsonl', '../a.jsonl'])
      expect(await states.linesBehind(folder, file, 0)).toEqual([])
  })

  it('removes one file, and only a plain one', async () => {
    await put('a.jsonl', '{}\n')
    await symlink(join(folder, 'a.jsonl'), join(folder, 'link.jsonl'))
    expect(await states.removeFile(folder, 'link.jsonl')).toBe(false)
    expect(await states.removeFile(folder, 'a.jsonl')).toBe(true)
    expect(existsSync(join(folder, 'a.jsonl'))).toBe(false)
    expect(await states.removeFile(folder, 'a.jsonl')).toBe(false)
  })
})
