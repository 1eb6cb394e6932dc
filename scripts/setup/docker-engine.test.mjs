import { createHash } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ensureDockerEngine } from './docker-engine.mjs'

const certificates = new URL('../../apps/desktop/test/fixtures/forge-tls/', import.meta.url)

let folder
let told

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'alfred-engine-'))
  told = []
  vi.stubEnv('DOCKER_HOST', '')
  vi.stubEnv('DOCKER_CONTEXT', '')
  vi.stubEnv('DOCKER_CONFIG', path.join(folder, 'docker'))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => told.push(text))
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  fs.rmSync(folder, { recursive: true, force: true })
})

const engineAt = async (socket) => {
  const engine = http.createServer((_, response) => response.end('{"Version":"1.2.3"}'))
  await new Promise((resolve) => engine.listen(socket, resolve))
  return engine
}

it('asks the engine that DOCKER_HOST names', async () => {
  const socket = path.join(folder, 'engine.sock')
  const engine = await engineAt(socket)
  vi.stubEnv('DOCKER_HOST', `unix://${socket}`)
  expect(await ensureDockerEngine()).toMatchObject({ endpoint: `unix://${socket}`, version: '1.2.3' })
  engine.close()
})

it('asks and starts no other engine when the one of DOCKER_HOST is silent', async () => {
  const other = await engineAt(path.join(folder, 'docker.sock'))
  vi.stubEnv('XDG_RUNTIME_DIR', folder)
  vi.stubEnv('DOCKER_HOST', `unix://${folder}/nowhere.sock`)
  expect(await ensureDockerEngine()).toBeUndefined()
  expect(told.join('')).toContain('nowhere.sock, which DOCKER_HOST names')
  expect(told.join('')).not.toContain('installing')
  other.close()
})

/** The docker context in use, and the folder of its certificates. */
function useContext(name, host) {
  const config = process.env.DOCKER_CONFIG
  const id = createHash('sha256').update(name).digest('hex')
  const [meta, tls] = [
    path.join(config, 'contexts/meta', id),
    path.join(config, 'contexts/tls', id, 'docker'),
  ]
  for (const made of [meta, tls]) fs.mkdirSync(made, { recursive: true })
  fs.writeFileSync(path.join(config, 'config.json'), JSON.stringify({ currentContext: name }))
  fs.writeFileSync(path.join(meta, 'meta.json'), JSON.stringify({ Endpoints: { docker: { Host: host } } }))
  return tls
}

it('asks the engine of the docker context in use, and no other while that is silent', async () => {
  const socket = path.join(folder, 'work.sock')
  useContext('work', `unix://${socket}`)
  const other = await engineAt(path.join(folder, 'docker.sock'))
  vi.stubEnv('XDG_RUNTIME_DIR', folder)
  expect(await ensureDockerEngine()).toBeUndefined()
  expect(told.join('')).toContain(
    `no engine answers at unix://${socket}, which the docker context work names`,
  )
  expect(told.join('')).not.toContain('installing')
  const engine = await engineAt(socket)
  expect(await ensureDockerEngine()).toMatchObject({ endpoint: `unix://${socket}`, version: '1.2.3' })
  engine.close()
  other.close()
})

it('asks an engine on another computer with the certificates of its context', async () => {
  const read = (name) => fs.readFileSync(new URL(name, certificates))
  const [ca, cert, key] = ['ca.pem', 'server.pem', 'server.key'].map(read)
  const mutual = { ca, cert, key, requestCert: true, rejectUnauthorized: true }
  const engine = https.createServer(mutual, (_, response) => response.end('{"Version":"1.2.3"}'))
  await new Promise((resolve) => engine.listen(0, '127.0.0.1', resolve))
  const endpoint = `tcp://127.0.0.1:${engine.address().port}`

  const tls = useContext('server', endpoint)
  for (const [name, text] of [
    ['ca.pem', ca],
    ['cert.pem', cert],
    ['key.pem', key],
  ])
    fs.writeFileSync(path.join(tls, name), text)
  expect(await ensureDockerEngine()).toMatchObject({ endpoint, version: '1.2.3' })
  engine.close()
})

it('says of a context that only the docker client reaches what it is, and neither misses nor starts an engine', async () => {
  useContext('far', 'ssh://me@server')
  const other = await engineAt(path.join(folder, 'docker.sock'))
  vi.stubEnv('XDG_RUNTIME_DIR', folder)
  expect(await ensureDockerEngine()).toBeUndefined()
  expect(told.join('')).toContain('the docker context far names ssh://me@server')
  expect(told.join('')).toContain('docker context use default')
  expect(told.join('')).not.toContain('installing')
  other.close()
})
