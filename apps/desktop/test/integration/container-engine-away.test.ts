import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDockerRuntime } from '@main/adapters/container/docker/docker-runtime'
import type { Clock } from '@main/ports/clock'

/*
 * An engine that dies, hangs or comes back while a run is waited for. A stand-in on a socket plays it, since the real
 * one must not be ended here.
 */

let folder: string
let socketPath: string
let servers: Server[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-'))
  socketPath = join(folder, 'docker.sock')
})
afterEach(async () => {
  await Promise.all(servers.map(stopServer))
  servers = []
  await rm(folder, { recursive: true })
})

const running = {
  Id: 'c1',
  Name: '/c1',
  Image: 'sha256:1',
  Config: { Labels: {} },
  State: {
    Running: true,
    StartedAt: '2026-01-01T00:00:00Z',
    FinishedAt: '0001-01-01T00:00:00Z',
    ExitCode: 0,
    OOMKilled: false,
  },
}
const ended = {
  ...running,
  State: { ...running.State, Running: false, FinishedAt: '2026-01-01T00:01:00Z', ExitCode: 3 },
}

interface Engine {
  inspect: () => unknown
  wait: (response: ServerResponse) => void
}

async function startEngine(engine: Engine): Promise<Server> {
  const server = createServer((request, response) => {
    const json = (value: unknown): void => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(value))
    }
    if (request.url?.startsWith('/version')) json({ Version: '20.10', ApiVersion: '1.41' })
    else if (request.url?.startsWith('/info'))
      json({ NCPU: 2, MemTotal: 1, OSType: 'linux', Architecture: 'x86_64' })
    else if (request.url?.includes('/wait')) engine.wait(response)
    else if (request.url?.includes('/json')) json(engine.inspect())
    else response.writeHead(404).end('{}')
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  return server
}

const stopServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })

/** Time passes only by sleeping, and each sleep may change the world. */
function steppingClock(onSleep: (ms: number) => Promise<void> | void = () => {}): Clock {
  let time = 0
  return {
    now: () => time,
    monotonic: () => time,
    sleep: async (ms, signal) => {
      if (signal?.aborted) return
      time += ms
      await onSleep(ms)
    },
  }
}

const runtimeWith = (clock: Clock) =>
  createDockerRuntime({ endpointSetting: () => socketPath, clock, labels: {}, patienceMs: 2_000 })
const never = (): AbortSignal => new AbortController().signal

describe('waiting for a container', () => {
  it('settles although the wait of the engine never does', async () => {
    let asked = 0
    await startEngine({ inspect: () => ((asked += 1) > 2 ? ended : running), wait: () => {} })
    const state = await runtimeWith(steppingClock()).wait('c1', never())
    expect(state).toMatchObject({ ok: true, value: { running: false, exitCode: 3 } })
  })

  it('goes on when the engine dies and comes back with the container ended', async () => {
    let isDead = false
    const first = await startEngine({ inspect: () => running, wait: () => {} })
    const clock = steppingClock(async () => {
      if (!isDead) {
        isDead = true
        await stopServer(first)
      } else if (servers.length === 1) {
        await startEngine({ inspect: () => ended, wait: () => {} })
      }
    })
    expect(await runtimeWith(clock).wait('c1', never())).toMatchObject({ ok: true, value: { exitCode: 3 } })
  })

  it('gives up with “unreachable” after its patience when the engine stays away', async () => {
    const engine = await startEngine({ inspect: () => running, wait: (response) => response.destroy() })
    const clock = steppingClock(() => stopServer(engine))
    expect(await runtimeWith(clock).wait('c1', never())).toMatchObject({
      ok: false,
      error: { type: 'unreachable', retryable: true },
    })
    expect(clock.now()).toBeGreaterThan(2_000)
  })
})

describe('an engine', () => {
  it('that is not there is unreachable, with its address', async () => {
    const info = await runtimeWith(steppingClock()).info()
    expect(info).toMatchObject({ ok: false, error: { type: 'unreachable' } })
    expect(info.ok ? '' : info.error.message).toContain(socketPath)
  })

  it('that comes later is found then', async () => {
    const runtime = runtimeWith(steppingClock())
    expect((await runtime.info()).ok).toBe(false)
    await startEngine({ inspect: () => running, wait: () => {} })
    expect(await runtime.inspect('c1')).toMatchObject({ ok: true, value: { running: true, exitCode: null } })
  })

  it('that takes every call and answers none is given up, call by call, and holds no connection', async () => {
    const held = new Set<Socket>()
    const server = createServer(() => undefined)
    server.on('connection', (socket) => {
      held.add(socket)
      socket.on('close', () => held.delete(socket))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(socketPath, resolve))
    const runtime = runtimeWith(steppingClock())
    const answers = await Promise.all([runtime.info(), runtime.inspect('c1'), runtime.findImage('image')])
    for (const answer of answers)
      expect(answer).toMatchObject({ ok: false, error: { type: 'unreachable', retryable: true } })
    await vi.waitFor(() => expect(held.size).toBe(0), { timeout: 10_000 })
  })

  it('that hangs under a short command is given up too', async () => {
    const server = createServer((request, response) => {
      if (request.url?.includes('/attach')) return
      if (request.method === 'DELETE') return void response.writeHead(204).end()
      response.setHeader('content-type', 'application/json')
      response.writeHead(request.method === 'POST' ? 201 : 200)
      response.end(JSON.stringify({ Id: 'c1', ApiVersion: '1.41', Version: '20.10' }))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(socketPath, resolve))
    expect(await runtimeWith(steppingClock()).runOnce('image', ['tool'], 100)).toMatchObject({
      ok: false,
      error: { type: 'unreachable' },
    })
  })
})
