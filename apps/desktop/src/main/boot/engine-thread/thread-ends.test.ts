import { MessageChannel } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import type { StartFailure } from '@shared/contract/shell-bridge'
import { err, ok, type Result } from '@shared/result'
import type { SecretBackend } from '../../adapters/secrets/secret-backend'
import type { NotificationMessage } from '../../ports/notifications'
import type { Engine } from '../compose'
import { serveWindowThread, type WindowParts } from './engine-end'
import { createEngineThread } from './window-end'

/* Both ends, over a real channel between threads. */

let ports: MessageChannel
afterEach(() => {
  ports.port1.close()
  ports.port2.close()
})

interface TestEngine {
  readonly engine: Engine
  readonly acts: string[]
  emit(event: unknown): void
}

function createTestEngine(): TestEngine {
  const acts: string[] = []
  let listen: (event: unknown) => void = () => undefined
  return {
    acts,
    emit: (event) => listen(event),
    engine: {
      dispatch: {
        invoke: async (channel: string, input: unknown) => ok({ channel, input }),
        subscribe: (channel: string, key: unknown, listener: (event: unknown) => void) => {
          acts.push(`follows ${channel} ${JSON.stringify(key)}`)
          listen = listener
          return ok(() => void acts.push(`left ${channel}`))
        },
      } as Engine['dispatch'],
      wake: () => void acts.push('woken'),
      stop: async (containers) => void acts.push(`stopped, containers ${containers}`),
    },
  }
}

const message: NotificationMessage = {
  id: 1,
  kind: 'run-finished',
  title: 'Done',
  body: 'It is done.',
  mailboxId: null,
  runId: null,
  setting: null,
}

function connect(
  start: (parts: WindowParts) => Promise<Result<Engine, StartFailure>>,
  keyring: SecretBackend | null = null,
) {
  ports = new MessageChannel()
  const shown: NotificationMessage[] = []
  const thread = createEngineThread(ports.port1, { notifier: { show: (one) => shown.push(one) }, keyring })
  void serveWindowThread(ports.port2, start)
  return { thread, shown }
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

describe('an engine in a thread of its own', () => {
  it('answers each question with its own answer', async () => {
    const { engine } = createTestEngine()
    const { thread } = connect(async () => ok(engine))
    expect(await thread.started).toEqual(ok(null))
    const answers = await Promise.all([1, 2, 3].map((n) => thread.calls.invoke('runs.get', { n })))
    expect(answers).toEqual([1, 2, 3].map((n) => ok({ channel: 'runs.get', input: { n } })))
  })

  it('takes what is asked before it has started', async () => {
    const { engine } = createTestEngine()
    let go = (): void => undefined
    const { thread } = connect(() => new Promise((resolve) => (go = () => resolve(ok(engine)))))
    const answer = thread.calls.invoke('app.status', {})
    go()
    expect(await answer).toEqual(ok({ channel: 'app.status', input: {} }))
  })

  it('carries events until their reader leaves', async () => {
    const { engine, acts, emit } = createTestEngine()
    const { thread } = connect(async () => ok(engine))
    const seen: unknown[] = []
    const followed = thread.calls.subscribe('app.changes', 7, (event) => seen.push(event))
    await until(() => acts.length === 1)
    emit({ n: 1 })
    emit({ n: 2 })
    await until(() => seen.length === 2)
    if (followed.ok) followed.value()
    await until(() => acts.length === 2)
    emit({ n: 3 })
    await thread.calls.invoke('app.status', {})
    expect(seen).toEqual([{ n: 1 }, { n: 2 }])
    expect(acts).toEqual(['follows app.changes 7', 'left app.changes'])
  })

  it('begins its work, wakes and closes when it is told to', async () => {
    const { engine, acts } = createTestEngine()
    const { thread } = connect(async ({ workAfter }) => {
      void workAfter.then(() => acts.push('works'))
      return ok(engine)
    })
    await thread.started
    thread.beginWork()
    thread.wake()
    await thread.close('stop')
    expect(acts).toEqual(['works', 'woken', 'stopped, containers stop'])
  })

  it('shows its notifications in the window’s thread', async () => {
    const { engine } = createTestEngine()
    const { thread, shown } = connect(async ({ notifier }) => {
      notifier.show(message)
      return ok(engine)
    })
    await thread.started
    expect(shown).toEqual([message])
  })

  it('reads and writes the keyring that only the window’s thread has', async () => {
    const kept = new Map<string, string>()
    const { engine } = createTestEngine()
    const keyring: SecretBackend = {
      read: async (name) => ok(kept.get(name) ?? null),
      write: async (name, value) => (kept.set(name, value), ok(undefined)),
      remove: async () => err({ type: 'not_readable', message: 'locked' }),
    }
    let given: SecretBackend | null = null
    const { thread } = connect(async (parts) => {
      given = parts.keyring
      return ok(engine)
    }, keyring)
    await thread.started
    const secrets = given as unknown as SecretBackend
    expect(await secrets.write('forge', 'token')).toEqual(ok(undefined))
    expect(await secrets.read('forge')).toEqual(ok('token'))
    expect(await secrets.read('other')).toEqual(ok(null))
    expect(await secrets.remove('forge')).toEqual(err({ type: 'not_readable', message: 'locked' }))
  })

  it('says why there is none', async () => {
    const failure: StartFailure = { type: 'disk_full', message: 'no room' }
    const { thread } = connect(async () => err(failure))
    expect(await thread.started).toEqual(err(failure))
  })

  it('that is lost leaves nobody waiting', async () => {
    const { thread } = connect(() => new Promise(() => undefined))
    const answer = thread.calls.invoke('app.status', {})
    const closed = thread.close('keep')
    thread.lose('a defect')
    expect(await answer).toEqual(err({ type: 'owner_gone', message: 'a defect' }))
    expect(await thread.calls.invoke('app.status', {})).toMatchObject({ ok: false })
    expect(await thread.started).toEqual(err({ type: 'unexpected', message: 'a defect' }))
    await closed
  })
})
