import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolveEndpoint, usualSockets, type EndpointFacts } from './endpoint'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'endpoint-'))
})
afterEach(() => rm(home, { recursive: true }))

const facts = (change: Partial<EndpointFacts> = {}): EndpointFacts => ({
  setting: null,
  environment: {},
  platform: 'linux',
  home,
  ...change,
})

async function found(change: Partial<EndpointFacts> = {}) {
  const endpoint = await resolveEndpoint(facts(change))
  return endpoint.ok ? `${endpoint.value.source} ${endpoint.value.url}` : endpoint.error.type
}

async function makeContext(name: string, host: string): Promise<void> {
  const folder = join(home, '.docker/contexts/meta', createHash('sha256').update(name).digest('hex'))
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'meta.json'),
    JSON.stringify({ Name: name, Endpoints: { docker: { Host: host } } }),
  )
}

describe('where the engine is', () => {
  it('is what the setting says, before everything else', async () => {
    await makeContext('work', 'unix:///work.sock')
    const environment = { DOCKER_HOST: 'tcp://10.0.0.1:2375', DOCKER_CONTEXT: 'work' }
    expect(await found({ setting: 'unix:///mine.sock', environment })).toBe('setting unix:///mine.sock')
    expect(await found({ setting: '/mine.sock' })).toBe('setting unix:///mine.sock')
    expect(await found({ setting: 'server:2375' })).toBe('setting tcp://server:2375')
  })

  it('is DOCKER_HOST before the context', async () => {
    await makeContext('work', 'unix:///work.sock')
    expect(await found({ environment: { DOCKER_HOST: 'unix:///x.sock', DOCKER_CONTEXT: 'work' } })).toBe(
      'DOCKER_HOST unix:///x.sock',
    )
  })

  it('is the current context of the docker client', async () => {
    await makeContext('work', 'unix:///work.sock')
    await makeContext('other', 'unix:///other.sock')
    await writeFile(join(home, '.docker/config.json'), JSON.stringify({ currentContext: 'work' }))
    expect(await found()).toBe('context unix:///work.sock')
    expect(await found({ environment: { DOCKER_CONTEXT: 'other' } })).toBe('context unix:///other.sock')
    const empty = { DOCKER_HOST: '', DOCKER_CONTEXT: '', DOCKER_CONFIG: '' }
    expect(await found({ environment: empty })).toBe('context unix:///work.sock')
  })

  it.each([
    '{broken',
    '[]',
    '{"currentContext":7}',
    '{"currentContext":"gone"}',
    '{"currentContext":"default"}',
  ])('goes on to the usual sockets with the configuration %s', async (config) => {
    await mkdir(join(home, '.docker/desktop'), { recursive: true })
    await writeFile(join(home, '.docker/config.json'), config)
    await writeFile(join(home, '.docker/desktop/docker.sock'), '')
    // The machine of the test may have a socket of its own.
    expect(await found()).toMatch(/^socket unix:\/\//)
  })

  it('is a socket of the person before one of Podman', () => {
    const sockets = usualSockets(facts({ environment: { XDG_RUNTIME_DIR: '/run/user/7' } }))
    expect(sockets.indexOf('unix:///run/user/7/docker.sock')).toBeLessThan(
      sockets.indexOf('unix:///run/user/7/podman/podman.sock'),
    )
    expect(sockets).toContain(`unix://${home}/.colima/default/docker.sock`)
  })

  it('is a named pipe on Windows', () => {
    expect(usualSockets(facts({ platform: 'win32' }))[0]).toBe('npipe:////./pipe/docker_engine')
  })

  it('takes the certificates that the environment names', async () => {
    await mkdir(join(home, '.docker'))
    await writeFile(join(home, '.docker/ca.pem'), 'usual CA')
    await writeFile(join(home, 'ca.pem'), 'CA')
    const taken = async (folder: string) => {
      const endpoint = await resolveEndpoint(
        facts({
          environment: { DOCKER_HOST: 'tcp://h:2376', DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: folder },
        }),
      )
      return endpoint.ok && endpoint.value.tls
    }
    expect(await taken(home)).toEqual({ ca: 'CA', cert: null, key: null, verify: true })
    expect(await taken('')).toEqual({ ca: 'usual CA', cert: null, key: null, verify: true })
  })
})
