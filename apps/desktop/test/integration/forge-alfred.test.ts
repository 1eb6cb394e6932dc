import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { startForgeServer, type ForgeServer } from '../fakes/forge-server/forge-server'
import { buildAlfred, runAlfred, startAlfred } from './support/alfred-process'
import { removeFolder } from './support/engine-bench'

/*
 * `alfred forge` as a process: alone, beside an owner of the data, and what it leaves on the disk.
 */

let program: string
let folder: string
let forge: ForgeServer
let token: string
beforeAll(async () => {
  program = await buildAlfred()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-forge-'))
  forge = await startForgeServer({ kind: 'forgejo', subPath: '/git' })
  forge.seed.user('alfred-bot')
  forge.seed.organization('acme', { 'alfred-bot': 'write' })
  await forge.seed.repository('acme/shop')
  token = forge.seed.token('alfred-bot', ['read:user', 'write:issue', 'write:repository'])
  vi.stubEnv('BOT_TOKEN', token)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await forge.close()
  await removeFolder(folder)
})

const alfred = (...words: string[]) => runAlfred(program, folder, words)

/** Files of the data folder that hold the token. */
const filesWithToken = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const file = join(folder, name)
    return statSync(file).isFile() && readFileSync(file).includes(token)
  })

it('connects a forge, and leaves its token in one file of this user', async () => {
  const add = ['forge', 'add', '--url', forge.url, '--token-env', 'BOT_TOKEN', '--project', 'acme/shop']
  const refused = await alfred(...add)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('No system keyring was found.')
  expect(filesWithToken()).toEqual([])

  const added = await alfred(...add, '--keep-in-file', '--make-labels')
  expect(added.stderr).toContain('acme/shop: 17 labels made.')
  expect(added).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Alfred works on acme/shop') as string,
  })
  expect(filesWithToken()).toEqual(['secrets.json'])
  expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600)
  expect(added.stdout + added.stderr + refused.stdout + refused.stderr).not.toContain(token)

  const listed = await alfred('forge', 'list', '--json')
  expect(JSON.parse(listed.stdout)).toMatchObject([
    {
      kind: 'forgejo',
      account_login: 'alfred-bot',
      has_token: true,
      projects: [{ path: 'acme/shop', is_watched: true }],
    },
  ])
  const name = forge.url.slice('http://'.length)
  const doctor = await alfred('doctor')
  expect(doctor.stdout).toContain(`ok    Token of ${name}: works for all that Alfred must do, as alfred-bot`)
  expect(doctor.stdout).toContain(`ok    Projects on ${name}: acme/shop can be worked on`)
  expect(doctor.stdout).toContain(`ok    Labels on ${name}: all there`)
  forge.seed.find('acme/shop').archivedAt = Date.now()
  expect((await alfred('doctor')).stdout).toContain(`Projects on ${name}: acme/shop is archived`)
  expect((await alfred('forge', 'remove', name, '--yes')).code).toBe(0)
  expect(filesWithToken()).toEqual([])
}, 90_000)

it('sends no token to an owner of the data, and the owner takes none from its socket', async () => {
  const owner = await startAlfred(program, folder)
  try {
    const refused = await alfred('forge', 'add', '--url', forge.url, '--token-env', 'BOT_TOKEN')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('no token crosses its socket')
    const sent = await owner.client.call('forges', 'checkToken', { url: forge.url, caFile: null, token })
    expect(sent).toMatchObject({ ok: false, error: { type: 'invalid_input' } })
    expect(forge.requests.filter(({ status }) => status !== 200)).toEqual([])
  } finally {
    await owner.kill()
  }
}, 60_000)
