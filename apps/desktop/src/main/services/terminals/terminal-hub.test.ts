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
  const shown = (): string => shownIn(events)
  return { events, leave, shown, id: attached?.type === 'attached' ? attached.attachmentId : '' }
}

/** What was printed has gone through the hub. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const watcherOf = () => {
  const events: TerminalEvent[] = []
  const leave = hub.watch(runId, (event) => events.push(event))
  const [first] = events
  if (first?.type !== 'watching') throw new Error('nothing is watched')
  return {
    events,
    leave,
    shown: () => shownIn(events),
    id: first.attachmentId,
    facts: () => events.flatMap((event) => (event.type === 'watching' ? [[event.who, event.size]] : [])),
  }
}

const shownIn = (events: readonly TerminalEvent[]): string =>
  events
    .flatMap((event) => (event.type === 'shown' ? [Buffer.from(event.bytes, 'base64').toString()] : []))
    .join('')

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

describe('a terminal that is watched', () => {
  it('is seen from its beginning beside who has it, and neither typed into nor sized', async () => {
    await start()
    const holder = clientOf('mia')
    program.print('before ')
    await settled()
    const painted = sizes.length
    const watcher = watcherOf()
    program.print('after')
    await settled()
    expect([watcher.shown(), holder.shown()]).toEqual(['before after', 'before after'])
    expect(hub.type(watcher.id, Buffer.from('x'))).toBeNull()
    expect(hub.resize(watcher.id, { columns: 20, rows: 10 })).toBe(false)
    expect(typed).toBe('')
    expect(sizes).toHaveLength(painted)
    expect(hub.type(holder.id, Buffer.from('y'))).toBe(true)
    expect(typed).toBe('y')
  })

  it('tells who has it and how large it is, whenever that changes', async () => {
    await start()
    const watcher = watcherOf()
    const size = { columns: 100, rows: 30 }
    const first = clientOf('mia')
    hub.resize(first.id, { columns: 80, rows: 24 })
    clientOf('ben', true).leave()
    expect(watcher.facts()).toEqual([
      [null, null],
      ['mia', size],
      ['mia', { columns: 80, rows: 24 }],
      ['ben', size],
      [null, size],
    ])
    hub.end(runId)
    expect(watcher.events.at(-1)).toEqual({ type: 'ended' })
  })

  it('takes nothing from who comes first, and makes nobody wait for it', async () => {
    await start()
    program.print('early')
    await settled()
    const watcher = watcherOf()
    expect(hub.isAwaited(runId)).toBe(false)
    const client = clientOf('mia')
    expect([watcher.shown(), client.shown()]).toEqual(['early', 'early'])
    watcher.leave()
    program.print('!')
    await settled()
    expect([watcher.shown(), client.shown()]).toEqual(['early', 'early!'])
  })

  it('is held up by no watcher: one that is behind is shown the end of it once it has taken the rest', async () => {
    await start()
    const client = clientOf('mia')
    const watcher = watcherOf()
    const part = 'x'.repeat(600_000)
    for (const text of [part, part, part, 'the end']) {
      program.print(text)
      await settled()
      hub.taken(client.id, text.length)
      await settled()
    }
    expect(client.shown()).toHaveLength(1_800_007)
    expect(watcher.shown()).toBe(part + part)
    expect(hub.taken(watcher.id, 600_000)).toBe(true)
    expect(watcher.shown()).toBe(part + part)
    hub.taken(watcher.id, 600_000)
    const again = watcher.shown().slice(1_200_000)
    expect(again.startsWith('\u001B[?1049l')).toBe(true)
    expect(again.endsWith('\u001B[2Jthe end')).toBe(true)
    await settled()
    // what it is shown has no beginning: it is painted anew
    expect(sizes.slice(-2).map(({ rows }) => rows)).toEqual([29, 30])
    program.print('!')
    await settled()
    expect(watcher.shown().endsWith('the end!')).toBe(true)
  })

  it('is painted anew for a watcher who comes after the connection broke', async () => {
    await start()
    clientOf('mia')
    program.drop()
    await settled()
    clock.advance(500)
    await settled()
    const painted = sizes.length
    watcherOf()
    await settled()
    expect(sizes.slice(painted).map(({ rows }) => rows)).toEqual([29, 30])
  })
})
