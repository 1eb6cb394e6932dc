import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listSessions } from './list-sessions'

const [a = '', b = ''] = ['1', '2'].map((n) => `${n.repeat(8)}-1111-4111-8111-111111111111`)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'list-sessions-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

describe('the sessions of a state folder', () => {
  it('are those whose own file is there, by id', async () => {
    await put(`-workspace/${a}.jsonl`, '12345')
    await put(`-workspace/${b}.jsonl`, '1')
    await put('-workspace/notes.jsonl', 'x')
    await put(`-workspace/${a}/subagents/${b}.jsonl`, 'x')
    expect(await listSessions(folder, '-workspace/{id}.jsonl')).toEqual({ [a]: 5, [b]: 1 })
  })

  it('are found where the name has a time, and where the session is a folder', async () => {
    await put(`2026/11/30/rollout-2026-11-30T10-00-00-${a}.jsonl`, '123')
    await put(`${b}/events.jsonl`, '12')
    await put(`${b}/other`, '12')
    expect(await listSessions(folder, '*/*/*/rollout-*-{id}.jsonl')).toEqual({ [a]: 3 })
    expect(await listSessions(folder, '{id}/events.jsonl')).toEqual({ [b]: 2 })
  })

  it('are none behind a link or with a second name, and none where there is no folder', async () => {
    await put('elsewhere', '12345')
    await symlink(join(folder, 'elsewhere'), join(folder, `${a}.jsonl`))
    await link(join(folder, 'elsewhere'), join(folder, `${b}.jsonl`))
    await put(`real/${a}.jsonl`, '12345')
    await symlink(join(folder, 'real'), join(folder, 'led'))
    expect(await listSessions(folder, 'led/{id}.jsonl')).toEqual({})
    expect(await listSessions(folder, '{id}.jsonl')).toEqual({})
    expect(await listSessions(join(folder, 'gone'), '{id}.jsonl')).toEqual({})
  })
})
