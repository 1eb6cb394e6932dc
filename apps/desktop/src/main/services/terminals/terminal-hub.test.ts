import { beforeEach, describe, expect, it } from 'vitest'
import type { TerminalEvent } from '@shared/contract/terminals'
import type { RunId } from '@shared/model/ids'
import { createFakeContainerRuntime } from '../../../../test/fakes/fake-container-runtime'
import type { FakeTerminal } from '../../../../test/fakes/fake-terminal'
import { createSettableClock, type SettableClock } from '../../../../test/fakes/settable-clock'
import { createSystemRandomness } from '../../adapters/system/system-randomness'
import type { ContainerRuntime, ContainerSpec, TerminalSize } from '../../ports/container-runtime'
import { createTerminalHub, type TerminalHub } from './terminal-hub'

const runId = 7 as RunId
const spec: ContainerSpec = {
  name: 'alfred-7',
  image: 'image:1',
  argv: ['agent'],
  environment: {},
  workingDirectory: '/workspace',
  user: { uid: 1, gid: 1 },
  mounts: [],
  limits: { memoryBytes: 1, cpus: 1, pids: 1 },
  network: 'none',
  labels: {},
  hasTerminal: true,
}

let clock: SettableClock
let hub: TerminalHub
let runtime: ContainerRuntime
let program: FakeTerminal
let typed: string
let sizes: TerminalSize[]
let containerId: string

beforeEach(async () => {
  clock = createSettableClock(1_000)
  hub = createTerminalHub({ clock, randomness: createSystemRandomness(), logger: { error: () => undefined } })
  typed = ''
  sizes = []
  runtime = createFakeContainerRuntime({
    images: ['image:1'],
    program: (_spec, stopped, terminal) => {
      program = terminal
      terminal.onTyped((text) => (typed += text))
      terminal.onResized((size) => sizes.push(size))
      return new Promise((resolve) => stopped.addEventListener('abort', () => resolve({ exitCode: 0 })))
    },
  })
  const made = await runtime.create(spec)
  if (!made.ok) throw new Error(made.error.message)
  containerId = made.value.id
})

const start = async (): Promise<void> => {
  expect(await hub.hold(runId, { runtime, id: containerId, isRunning: false })).toMatchObject({ ok: true })
  await runtime.start(spec)
  hub.started(runId)
}

const clientOf = (who: string, takesOver = false) => {
  const events: TerminalEvent[] = []
  const leave = hub.attach(runId, {
    who,
    size: { columns: 100, rows: 30 },
    takesOver,
    listener: (event) => events.push(event),
  })
  const attached = events.find(({ type }) => type === 'attached')
  const shown = (): string =>
    events
      .flatMap((event) => (event.type === 'shown' ? [Buffer.from(event.bytes, 'base64').toString()] : []))
      .join('')
  return { events, leave, shown, id: attached?.type === 'attached' ? attached.attachmentId : '' }
}

/** What was printed has gone through the hub. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a terminal between its container and its client', () => {
  it('shows who comes first all of it, carries what is typed, and tells the size', async () => {
    await start()
    program.print('early ')
    await settled()
    const client = clientOf('mia')
    program.print('late')
    await settled()
    expect(client.shown()).toBe('early late')
    expect(sizes.at(-1)).toEqual({ columns: 100, rows: 30 })
    expect(hub.type(client.id, Buffer.from('yes'))).toBe(true)
    expect(typed).toBe('yes')
    expect(hub.resize(client.id, { columns: 80, rows: 24 })).toBe(true)
    expect(sizes.at(-1)).toEqual({ columns: 80, rows: 24 })
  })

  it('tells who comes second who has it and since when', async () => {
    await start()
    const first = clientOf('mia')
    clock.advance(500)
    const second = clientOf('ben')
    expect(second.events).toEqual([{ type: 'held', who: 'mia', since: 1_000 }])
    expect(hub.type(second.id, Buffer.from('x'))).toBeNull()
    expect(hub.type(first.id, Buffer.from('y'))).toBe(true)
    expect(typed).toBe('y')
  })

  it('is taken over: the one before is told and types no more', async () => {
    await start()
    const first = clientOf('mia')
    program.print('seen')
    await settled()
    const second = clientOf('ben', true)
    expect(first.events.at(-1)).toEqual({ type: 'taken_over', who: 'ben' })
    expect(hub.type(first.id, Buffer.from('x'))).toBeNull()
    await settled()
    // Painted anew, since its program paints when its size changes.
    expect(sizes.slice(-2)).toEqual([
      { columns: 100, rows: 29 },
      { columns: 100, rows: 30 },
    ])
    program.print('!')
    await settled()
    expect(second.shown()).toBe('!')
    first.leave()
    expect(hub.type(second.id, Buffer.from('z'))).toBe(true)
  })

  it('goes on while nobody looks', async () => {
    await start()
    const first = clientOf('mia')
    program.print('a')
    await settled()
    first.leave()
    program.print('unseen')
    await settled()
    const second = clientOf('mia')
    program.print('b')
    await settled()
    expect(second.shown()).toBe('b')
    expect(first.shown()).toBe('a')
  })

  it('is read no faster than its client takes it', async () => {
    await start()
    const client = clientOf('mia')
    const megabyte = 'x'.repeat(1_000_000)
    for (const part of [megabyte, megabyte, megabyte]) program.print(part)
    await settled()
    expect(client.shown()).toHaveLength(2_000_000)
    hub.taken(client.id, 1_500_000)
    await settled()
    expect(client.shown()).toHaveLength(3_000_000)
    // Who leaves holds up nobody.
    program.print('unseen')
    client.leave()
    await settled()
    const next = clientOf('ben')
    program.print('seen')
    await settled()
    expect(next.shown()).toBe('seen')
  })

  it('takes hold again when the connection breaks', async () => {
    await start()
    const client = clientOf('mia')
    program.print('a')
    await settled()
    program.drop()
    await settled()
    clock.advance(500)
    await settled()
    program.print('b')
    await settled()
    expect(client.shown()).toBe('ab')
  })

  it('is painted anew for who comes after a restart, which has seen nothing of it', async () => {
    await runtime.start(spec)
    await hub.hold(runId, { runtime, id: containerId, isRunning: true })
    clientOf('mia')
    await settled()
    expect(sizes.map(({ rows }) => rows)).toEqual([29, 30])
  })

  it('is awaited from when it was asked for, and while somebody looks', () => {
    expect(hub.isAwaited(runId)).toBe(false)
    hub.expect(runId)
    expect(hub.isAwaited(runId)).toBe(true)
    clock.advance(30_000)
    expect(hub.isAwaited(runId)).toBe(false)
    const client = clientOf('mia')
    expect(hub.isAwaited(runId)).toBe(true)
    client.leave()
    expect(hub.isAwaited(runId)).toBe(false)
  })

  it('is let go of when the engine leaves, and goes on', async () => {
    await start()
    const client = clientOf('mia')
    hub.close()
    await settled()
    program.print('x')
    await settled()
    expect(client.shown()).toBe('')
    expect(client.events.map(({ type }) => type)).toEqual(['attached'])
    expect(await runtime.inspect(containerId)).toMatchObject({ value: { running: true } })
  })

  it.each([
    ['the engine leaves', () => hub.close()],
    ['its run ends', () => hub.end(runId)],
  ])('is not held any more when %s meanwhile, and its connection is closed', async (_, letGo) => {
    let connections = 0
    const counted: ContainerRuntime = {
      ...runtime,
      async attach(id) {
        const attached = await runtime.attach(id)
        if (!attached.ok) return attached
        connections += 1
        const close = (): void => {
          connections -= 1
          attached.value.close()
        }
        return { ok: true, value: { ...attached.value, close } }
      },
    }
    const holding = hub.hold(runId, { runtime: counted, id: containerId, isRunning: false })
    letGo()
    expect(await holding).toMatchObject({ ok: false, error: { type: 'aborted' } })
    expect(connections).toBe(0)
  })

  it('is not held by one that has left', async () => {
    hub.close()
    const holding = hub.hold(runId, { runtime, id: containerId, isRunning: false })
    expect(await holding).toMatchObject({ ok: false, error: { type: 'aborted' } })
  })

  it('tells its end once, also where it never began', async () => {
    await start()
    const client = clientOf('mia')
    hub.end(runId)
    hub.end(runId)
    expect(client.events.filter(({ type }) => type === 'ended')).toHaveLength(1)
    expect(hub.type(client.id, Buffer.from('x'))).toBeNull()
    const waiting = clientOf('ben')
    hub.end(runId)
    expect(waiting.events.at(-1)).toEqual({ type: 'ended' })
  })
})
