import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { err, ok } from '@shared/result'
import { connectToOwner, type OwnerConnection } from './connect-to-owner'
import { serveSocket } from './serve-socket'
import { longestLine } from './socket-messages'
import type { SocketCalls } from './serve-peer'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-sock-'))
  path = join(folder, 'engine.sock')
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

interface Engine {
  readonly calls: SocketCalls
  emit(event: unknown): void
  readonly followers: Set<(event: unknown) => void>
  /** Resolves once nobody follows any more. */
  readonly left: Promise<void>
}

function createEngine(): Engine {
  const followers = new Set<(event: unknown) => void>()
  let tellLeft = (): void => undefined
  const left = new Promise<void>((resolve) => {
    tellLeft = resolve
  })
  return {
    followers,
    left,
    emit: (event) => {
      for (const follow of followers) follow(event)
    },
    calls: {
      invoke: (channel, input) => {
        if (channel === 'breaks') return Promise.reject(new Error('a defect'))
        if (channel === 'huge') return Promise.resolve(ok('x'.repeat(longestLine)))
        return Promise.resolve(ok({ channel, input }))
      },
      subscribe: (channel, key, listener) => {
        if (channel !== 'ticks') return err({ type: 'not_found' })
        followers.add(listener)
        listener({ key })
        return ok(() => {
          followers.delete(listener)
          if (followers.size === 0) tellLeft()
        })
      },
    },
  }
}

async function serve(engine = createEngine()): Promise<Engine> {
  const served = await serveSocket(path, engine.calls)
  if (!served.ok) throw new Error(served.error.message)
  onTestFinished(() => served.value.close())
  return engine
}

async function connect(): Promise<OwnerConnection> {
  const connected = await connectToOwner(path)
  if (!connected.ok) throw new Error(connected.error.message)
  onTestFinished(() => connected.value.close())
  return connected.value
}

/** Sends bytes as a stranger would, and waits until it is cut off. */
async function sendRaw(bytes: string): Promise<void> {
  const socket = createConnection(path)
  socket.on('error', () => undefined)
  socket.resume()
  socket.write(bytes)
  await once(socket, 'close')
}

describe('the socket', () => {
  it('answers many requests at once, each with its own answer', async () => {
    await serve()
    const peer = await connect()
    const answers = await Promise.all(
      [1, 2, 3].map((n) => peer.invoke('runs.get', { n, text: 'zwei\nZeilen ✓' })),
    )
    expect(answers).toEqual(
      [1, 2, 3].map((n) => ok({ channel: 'runs.get', input: { n, text: 'zwei\nZeilen ✓' } })),
    )
  })

  it('tells a defect of the engine to the one who asked, and goes on', async () => {
    await serve()
    const peer = await connect()
    expect(await peer.invoke('breaks', null)).toEqual(err({ type: 'owner_gone', message: 'a defect' }))
    expect(await peer.invoke('runs.get', 1)).toMatchObject({ ok: true })
  })

  it('does not send an answer that is too long for a line, and says so', async () => {
    await serve()
    const answer = await (await connect()).invoke('huge', null)
    expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('too long') } })
  })

  it('carries events in their order until the follower leaves', async () => {
    const engine = await serve()
    const peer = await connect()
    const events: unknown[] = []
    const leave = await peer.subscribe('ticks', 7, (event) => events.push(event))
    engine.emit(1)
    engine.emit(null)
    await peer.invoke('runs.get', 1)
    expect(events).toEqual([{ key: 7 }, 1, null])
    leave()
    await engine.left
    expect(engine.followers.size).toBe(0)
  })

  it('ends the subscriptions of a follower that is gone', async () => {
    const engine = await serve()
    const peer = await connect()
    await peer.subscribe('ticks', 7, () => undefined)
    await peer.close()
    await engine.left
    expect(engine.followers.size).toBe(0)
  })

  it('says no to a stream that the engine does not have', async () => {
    await serve()
    await expect((await connect()).subscribe('nothing', 0, () => undefined)).rejects.toThrow('not_found')
  })

  it.skipIf(process.platform === 'win32')('is for this user only, and leaves nothing beside it', async () => {
    await serve()
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['engine.sock'])
  })

  it.skipIf(process.platform === 'win32')(
    'goes when its engine does, but not when a successor took its place',
    async () => {
      const first = await serveSocket(path, createEngine().calls)
      const second = await serveSocket(path, createEngine().calls)
      if (!first.ok || !second.ok) throw new Error('not served')
      await first.value.close()
      expect(readdirSync(folder)).toEqual(['engine.sock'])
      await second.value.close()
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it('tells everybody when it closes', async () => {
    const engine = createEngine()
    const served = await serveSocket(path, engine.calls)
    if (!served.ok) throw new Error(served.error.message)
    const peer = await connect()
    await served.value.close()
    await peer.closed
    expect(await peer.invoke('runs.get', 1)).toMatchObject({ error: { type: 'owner_gone' } })
    expect(await connectToOwner(path)).toMatchObject({ error: { type: 'no_owner' } })
  })

  it.each([
    ['no JSON', 'GET / HTTP/1.1\r\n\r\n'],
    ['no request', '{"id":1,"run":"rm"}\n'],
    ['an id that is none', '{"id":-1,"channel":"a","input":1}\n'],
    ['an endless line', 'x'.repeat(longestLine + 1)],
  ])('cuts off who sends %s, and serves the next one', async (_, bytes) => {
    await serve()
    await sendRaw(bytes)
    expect(await (await connect()).invoke('runs.get', 1)).toMatchObject({ ok: true })
  })

  it('limits what one follower may follow', async () => {
    await serve()
    const peer = await connect()
    const all = Array.from({ length: 201 }, () => peer.subscribe('ticks', 0, () => undefined))
    const settled = await Promise.allSettled(all)
    expect(settled.filter((one) => one.status === 'rejected')).toHaveLength(1)
  })

  it('leaves alone what is no socket', async () => {
    writeFileSync(path, 'mine')
    expect(await serveSocket(path, createEngine().calls)).toMatchObject({ error: { type: 'not_writable' } })
  })
})
