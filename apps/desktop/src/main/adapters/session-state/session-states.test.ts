import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDisk } from '../disk/disk'
import { createSessionStates } from './session-states'

const states = createSessionStates(createDisk())
let folder: string
const put = async (name: string, text: string): Promise<void> => {
  await mkdir(join(folder, name, '..'), { recursive: true })
  await writeFile(join(folder, name), text)
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-state-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a look at session state', () => {
  it('tells size and time of a session whose first record is readable', async () => {
    await put('sessions/a.jsonl', '{"id":"a"}\n{"more":1}\n')
    expect(await states.look(folder, 'sessions/a.jsonl')).toEqual({
      preflight: 'ok',
      bytes: 22,
      savedAt: expect.any(Number),
    })
  })

  it.each([
    ['missing', 'absent.jsonl'],
    ['empty', 'empty.jsonl'],
    ['unreadable', 'broken.jsonl'],
    ['unreadable', 'number.jsonl'],
    ['unreadable', 'session-b.jsonl'],
    ['ok', 'session-a.jsonl'],
  ])('finds %s state: %s', async (preflight, file) => {
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

  it('does not hang on a FIFO', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.jsonl')])
    expect(await states.look(folder, 'pipe.jsonl')).toMatchObject({ bytes: null })
  })

  it('looks at the whole folder where a CLI has no file per session', async () => {
    expect(await states.look(folder, null)).toEqual({ preflight: 'unknown', bytes: null, savedAt: null })
    await put('db', 'x'.repeat(5_000))
    expect(await states.look(folder, null)).toMatchObject({
      preflight: 'unknown',
      bytes: expect.any(Number),
      savedAt: expect.any(Number),
    })
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
