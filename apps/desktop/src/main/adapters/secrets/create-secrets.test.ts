import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ok } from '@shared/result'
import { createSecrets, environmentName, type SecretSources } from './create-secrets'
import type { SecretBackend } from './secret-backend'
import { createSecretsFile } from './secrets-file'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-secrets-'))
  file = join(folder, 'secrets.json')
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function createKeyring(): SecretBackend & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>()
  return {
    entries,
    read: (name) => Promise.resolve(ok(entries.get(name) ?? null)),
    write: (name, value) => {
      entries.set(name, value)
      return Promise.resolve(ok(undefined))
    },
    remove: (name) => {
      entries.delete(name)
      return Promise.resolve(ok(undefined))
    },
  }
}

const create = (sources: Partial<SecretSources> = {}) =>
  createSecrets({ env: {}, keyring: null, file: createSecretsFile(file), mayUseFile: () => true, ...sources })

describe('secrets', () => {
  it('come from the environment before the keyring before the file', async () => {
    const keyring = createKeyring()
    const env: Record<string, string> = { ALFRED_TOKEN_MY_FORGE: 'from-environment' }
    await create().write('my-forge', 'from-file')
    const secrets = create({ env, keyring })
    expect(await secrets.read('my-forge')).toEqual(ok('from-environment'))
    delete env['ALFRED_TOKEN_MY_FORGE']
    expect(await secrets.read('my-forge')).toEqual(ok('from-file'))
    await secrets.write('my-forge', 'from-keyring')
    expect(await secrets.read('my-forge')).toEqual(ok('from-keyring'))
    expect(keyring.entries.get('my-forge')).toBe('from-keyring')
  })

  it('of the environment are known before anybody asks for one', () => {
    const env = { ALFRED_TOKEN_MY_FORGE: 'from-environment', ALFRED_TOKEN_EMPTY: '', PATH: '/usr/bin' }
    expect(create({ env }).knownValues()).toEqual(['from-environment'])
  })

  it('are kept in a file only after consent', async () => {
    const secrets = create({ mayUseFile: () => false })
    expect(await secrets.write('forge', 'token')).toMatchObject({ ok: false, error: { type: 'no_keyring' } })
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined()
    expect(await secrets.read('forge')).toEqual(ok(null))
  })

  it('are kept in a file by the consent that comes with one, and are found again from then on', async () => {
    const mayUseFile = () => statSync(file, { throwIfNoEntry: false }) !== undefined
    const secrets = create({ mayUseFile })
    expect(await secrets.write('forge', 'token', { mayUseFile: true })).toEqual(ok(undefined))
    expect(await create({ mayUseFile }).read('forge')).toEqual(ok('token'))
    const keyring = createKeyring()
    await create({ mayUseFile, keyring }).write('other', 'sealed', { mayUseFile: true })
    expect(keyring.entries.get('other')).toBe('sealed')
    expect(readFileSync(file, 'utf8')).not.toContain('sealed')
  })

  it('are known for redaction once they were handed out or in', async () => {
    const keyring = createKeyring()
    keyring.entries.set('a', 'one')
    const secrets = create({ keyring })
    expect(secrets.knownValues()).toEqual([])
    await secrets.read('a')
    await secrets.write('b', 'two')
    await secrets.remove('b')
    expect(secrets.knownValues()).toEqual(['one', 'two'])
    expect(await secrets.read('b')).toEqual(ok(null))
  })

  it('have names that fit the environment', () => {
    expect(environmentName('git.example.org:3000')).toBe('ALFRED_TOKEN_GIT_EXAMPLE_ORG_3000')
  })
})

describe('secrets.json', () => {
  it('can be read by this user only, also when it came from elsewhere', async () => {
    await create().write('forge', 'token')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    chmodSync(file, 0o644)
    expect(await create().read('forge')).toEqual(ok('token'))
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('that is damaged is left as it is, and not quoted', async () => {
    writeFileSync(file, '{"secrets": {"forge": "tok', { mode: 0o600 })
    const read = await create().read('forge')
    expect(read).toMatchObject({ ok: false, error: { type: 'not_readable' } })
    expect(JSON.stringify(read)).not.toContain('tok')
    expect(await create().write('forge', 'new')).toMatchObject({ ok: false })
    expect(readFileSync(file, 'utf8')).toContain('tok')
  })

  it('takes any name', async () => {
    const secrets = create()
    expect(await secrets.read('__proto__')).toEqual(ok(null))
    expect(await secrets.read('constructor')).toEqual(ok(null))
  })
})
