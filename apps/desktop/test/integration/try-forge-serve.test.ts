import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { bundleScript, type BundledScript } from '../fakes/bundle-script'

/* npm run try:forge -- --serve KIND, as a process of its own: a forge for people who have none. */

let program: BundledScript
/** Where the forge puts its repositories. */
let folder: string

beforeAll(async () => {
  program = await bundleScript(fileURLToPath(new URL('../try-forge/main.ts', import.meta.url)))
})
afterAll(() => program.remove())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-made-up-forge-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const serve = (words: readonly string[]) =>
  spawn(process.execPath, [program.file, ...words], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

it('serves a repository, says how it is used, and ends without a trace', async () => {
  const child = serve(['--serve', 'forgejo'])
  let said = ''
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    said += chunk.toString()
    if (said.endsWith('/labels\n')) break
  }
  const [, url = ''] = /answers as Forgejo \S+, at (\S+)/.exec(said) ?? []
  for (const [login, name] of [
    ['alfred-bot', 'BOT_TOKEN'],
    ['dev', 'PERSON_TOKEN'],
  ] as const) {
    const [, token = ''] = new RegExp(`export ${name}=(\\S+)`).exec(said) ?? []
    const ask = async (path: string): Promise<unknown> => {
      const answer = await fetch(`${url}/api/v1${path}`, { headers: { Authorization: `token ${token}` } })
      return answer.json()
    }
    expect(await ask('/user')).toMatchObject({ login })
    expect(await ask('/repos/acme/harbour')).toMatchObject({ permissions: { push: true } })
  }
  expect(said).toContain(`npm run try:forge -- --url ${url} --token-env BOT_TOKEN`)
  expect(said).toContain(`forge add --url ${url} --token-env BOT_TOKEN --project acme/harbour`)
  child.kill('SIGTERM')
  await once(child, 'close')
  expect(child.exitCode).toBe(0)
  expect(readdirSync(folder)).toEqual([])
})

it.each([
  [['--serve', 'gitlab'], '--serve takes one of gitea, gitea-1.26-dev, forgejo\n'],
  [['--serve', 'gitea', '--repo', 'acme/shop'], '--serve takes no other option beside it\n'],
])('does not serve with %j', async (words, why) => {
  const child = serve(words)
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await once(child, 'close')
  expect({ code: child.exitCode, said }).toEqual({ code: 2, said: why })
})
