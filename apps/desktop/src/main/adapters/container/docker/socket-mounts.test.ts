import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refusedMount } from './socket-mounts'

let folder: string
let server: Server
const path = (...names: readonly string[]): string => join(folder, ...names)

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'alfred-socket-')))
  mkdirSync(path('run'))
  mkdirSync(path('running'))
  writeFileSync(path('login.json'), '{}')
  symlinkSync(path('run', 'engine.sock'), path('link'))
  symlinkSync(path('run'), path('run-link'))
  server = createServer()
  await new Promise<void>((resolve) => server.listen(path('run', 'engine.sock'), resolve))
})
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

const refused = (source: string, endpoint: string, usual: readonly string[] = []) =>
  refusedMount(
    [
      { kind: 'tmpfs', target: '/tmp', sizeBytes: 1, exec: true, purpose: '' },
      { kind: 'bind', source, target: '/home/agent/x', readOnly: true, purpose: '' },
    ],
    endpoint,
    usual,
  )

describe.runIf(process.platform !== 'win32')('a mount', () => {
  it.each(['run/engine.sock', 'link'])('of any socket is refused: %s', async (name) =>
    expect(await refused(path(name), 'tcp://elsewhere:2375')).toBe(
      `${path(name)} is a socket, which an agent must not reach, so it is not mounted: name the login files alone (AGENT_CREDENTIAL_MOUNTS)`,
    ),
  )

  it.each(['run', 'run-link', '.', 'link'])(
    'that leads to the engine in use is refused: %s',
    async (name) => {
      const words = `leads to the socket of a container engine, ${path('run', 'engine.sock')}`
      expect(await refused(path(name), `unix://${path('run', 'engine.sock')}`)).toContain(words)
      expect(await refused(path(name), `unix://${path('link')}`)).toContain(words)
      expect(await refused(path(name), 'tcp://x:1', [`unix://${path('run-link', 'engine.sock')}`])).toContain(
        words,
      )
    },
  )

  it.each(['login.json', 'running', 'absent'])('of something else is not: %s', async (name) =>
    expect(await refused(path(name), `unix://${path('run', 'engine.sock')}`)).toBeNull(),
  )
})
