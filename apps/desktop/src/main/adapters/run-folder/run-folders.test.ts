import { execFileSync } from 'node:child_process'
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { RunRecord } from '@main/core/restore/run-record'
import { copyUntrustedFile } from './copy-untrusted-file'
import { createRunFolders } from './run-folders'

const folders = createRunFolders()
const start = { attempt: 1, start: 2 }
let folder: string
let out: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-run-'))
  await folders.prepare(folder)
  out = folders.outputFolder(folder, start)
  mkdirSync(out, { recursive: true })
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const take = (name: string, maxBytes = 1000) => folders.takeOutput(folder, start, name, maxBytes)

describe('what comes out of a run', () => {
  it('is copied into a folder that is never mounted', async () => {
    writeFileSync(join(out, 'result.json'), '{"version":1}')
    const taken = await take('result.json')
    expect(taken).toEqual({ ok: true, value: join(folder, 'copied', '1-2-result.json') })
    if (taken.ok) expect(readFileSync(taken.value, 'utf8')).toBe('{"version":1}')
  })

  it('may be taken once more after an interruption', async () => {
    writeFileSync(join(out, 'a'), 'first')
    await take('a')
    writeFileSync(join(out, 'a'), 'again')
    const taken = await take('a')
    if (taken.ok) expect(readFileSync(taken.value, 'utf8')).toBe('again')
    expect(taken.ok).toBe(true)
  })

  it('is missing when the agent left nothing', async () => {
    expect(await take('result.json')).toMatchObject({ error: { type: 'missing' } })
  })

  it.each([
    ['a link to a file', (path: string) => symlinkSync('/etc/hostname', path)],
    ['a link to endless zeros', (path: string) => symlinkSync('/dev/zero', path)],
    ['a link that leads nowhere', (path: string) => symlinkSync('/nowhere', path)],
    ['a FIFO that nobody writes', (path: string) => execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdirSync(path)],
    [
      'a hard link',
      (path: string) => {
        writeFileSync(join(folder, 'private'), 'of the host')
        linkSync(join(folder, 'private'), path)
      },
    ],
  ])('is refused when it is %s', async (_, make) => {
    make(join(out, 'trap'))
    expect(await take('trap')).toMatchObject({ ok: false, error: { type: 'not_a_plain_file' } })
    expect(readdirSync(join(folder, 'copied'))).toEqual([])
  })

  it('is refused when it is a socket', async () => {
    const server = createServer().listen(join(out, 'trap'))
    onTestFinished(() => void server.close())
    expect(await take('trap')).toMatchObject({ ok: false, error: { type: 'not_a_plain_file' } })
  })

  it('is refused when it is a device', async () => {
    expect(await copyUntrustedFile('/dev/zero', join(folder, 'copied', 'zero'), 1000)).toMatchObject({
      error: { type: 'not_a_plain_file' },
    })
  })

  it('is taken up to its cap and refused beyond it', async () => {
    const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, index) => index % 251))
    writeFileSync(join(out, 'a'), bytes)
    const taken = await take('a', 1_000_000)
    expect(taken.ok && readFileSync(taken.value).equals(bytes)).toBe(true)
    expect(await take('a', 999_999)).toMatchObject({ error: { type: 'too_large' } })
  })

  it('is only asked for by plain names', async () => {
    for (const name of ['../run.json', '/etc/passwd', '..', '.', '', 'a/b', '.git'])
      await expect(take(name)).rejects.toThrow('not a file name')
  })
})

describe('the folder of a run', () => {
  it('is closed to others at its top; what goes in can be read by the sandbox', async () => {
    await folders.prepare(join(folder, 'new'))
    const path = await folders.writeInput(join(folder, 'new'), 'prompt', 'Fix it')
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'new', 'copied')).mode & 0o777).toBe(0o700)
    expect([statSync(join(folder, 'new', 'in')).mode & 0o777, statSync(path).mode & 0o777]).toEqual([
      0o755, 0o644,
    ])
  })

  it('has an output folder of its own for every start of every attempt', () => {
    const all = [
      [1, 1],
      [1, 2],
      [2, 1],
      [11, 1],
    ].map(([attempt = 0, n = 0]) => folders.outputFolder(folder, { attempt, start: n }))
    expect(new Set(all).size).toBe(4)
  })

  it('keeps a record that is replaced in one step', () => {
    const record = { version: 1, writtenAt: 1 } as RunRecord
    folders.writeRecord(folder, record)
    folders.writeRecord(folder, { ...record, writtenAt: 2 })
    expect(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))).toEqual({ version: 1, writtenAt: 2 })
    expect(statSync(join(folder, 'run.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([])
  })
})
