import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ensureDockerEngine } from './docker-engine.mjs'

let folder
let told

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'alfred-engine-'))
  told = []
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
