import { execFileSync } from 'node:child_process'
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLoginFiles } from './login-files'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-login-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const look = (name: string) => createLoginFiles().look(join(folder, name))

it('reads a plain file', async () => {
  writeFileSync(join(folder, 'login.json'), '{}')
  expect(await look('login.json')).toEqual({ type: 'read', content: '{}' })
})

it('says that there is none', async () => {
  writeFileSync(join(folder, 'file'), '')
  expect(await look('login.json')).toEqual({ type: 'missing' })
  expect(await look('file/login.json')).toEqual({ type: 'missing' })
})

it('follows no link and waits for no pipe', async () => {
  writeFileSync(join(folder, 'login.json'), '{}')
  symlinkSync(join(folder, 'login.json'), join(folder, 'link'))
  expect(await look('link')).toEqual({ type: 'unreadable' })
  if (process.platform === 'win32') return
  execFileSync('mkfifo', [join(folder, 'pipe')])
  expect(await look('pipe')).toEqual({ type: 'unreadable' })
})

it.runIf(process.getuid?.() === 0)(
  'gives a file of root to the sandbox, and nothing with a second name',
  async () => {
    const files = createLoginFiles()
    const path = join(folder, 'login.json')
    writeFileSync(path, '{}', { mode: 0o600 })
    linkSync(path, join(folder, 'second'))
    await files.handOver(path, { uid: 1234, gid: 1235 })
    expect(statSync(path).uid).toBe(0)
    rmSync(join(folder, 'second'))
    await files.handOver(path, { uid: 1234, gid: 1235 })
    expect(statSync(path)).toMatchObject({ uid: 1234, gid: 1235 })
    await files.handOver(path, { uid: 1, gid: 1 })
    expect(statSync(path).uid).toBe(1234)
  },
)

it('reads nothing huge', async () => {
  writeFileSync(join(folder, 'huge'), '')
  truncateSync(join(folder, 'huge'), 2_000_000)
  expect(await look('huge')).toEqual({ type: 'unreadable' })
})

it('says where a path leads, through links and where nothing is yet', async () => {
  const files = createLoginFiles()
  const real = await files.pathOf(folder)
  const sessions = join(real, 'data', 'sessions')
  mkdirSync(sessions, { recursive: true })
  symlinkSync(sessions, join(folder, 'link'))
  expect(await files.pathOf(`${folder}/link/x/login.json`)).toBe(`${sessions}/x/login.json`)
  // Beside what the link leads to, not beside the link.
  expect(await files.pathOf(`${folder}/link/../sessions`)).toBe(sessions)
  expect(await files.pathOf(`${folder}/link/../x/../sessions`)).toBe(sessions)
})

it('follows a link to what is not there yet, since a run may make it before it is mounted', async () => {
  const files = createLoginFiles()
  const real = await files.pathOf(folder)
  mkdirSync(join(folder, 'data', 'sessions'), { recursive: true })
  symlinkSync('data/sessions', join(folder, 'link'))
  symlinkSync('link/../sessions/new', join(folder, 'ahead'))
  expect(await files.pathOf(`${folder}/ahead/login.json`)).toBe(`${real}/data/sessions/new/login.json`)
  symlinkSync('round', join(folder, 'round'))
  expect(await files.pathOf(`${folder}/round`)).toBe(`${real}/round`)
})
