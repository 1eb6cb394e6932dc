import type { RestoreReport } from '@shared/contract/restore'
import type { StartFailure } from '@shared/contract/shell-bridge'
import { err, ok, type Result } from '@shared/result'
import type { SecretBackend } from '../../adapters/secrets/secret-backend'
import type { EngineCalls } from '../../ipc/electron-transport'
import type { Notifier } from '../../ports/notifications'
import type { FromEngine, KeyringAnswer, KeyringRequest, ThreadPort, ToEngine } from './messages'

/** The window's end of the engine's thread. */
export interface EngineThread {
  readonly calls: EngineCalls
  /** Whether there is an engine, or why there is none. */
  readonly started: Promise<Result<null, StartFailure>>
  /** What came of a restore, where that was the task. */
  readonly restored: Promise<Result<RestoreReport | null, StartFailure>>
  beginWork(): void
  wake(): void
  /** Done once the engine has closed everything. */
  close(containers: 'keep' | 'stop'): Promise<void>
  /** The thread is gone: what was asked is answered with that, and nothing is waited for any more. */
  lose(message: string): void
}

export interface WindowEndOptions {
  readonly notifier: Notifier
  /** null: this system has none, and the engine was told so. */
  readonly keyring: SecretBackend | null
}

export function createEngineThread(port: ThreadPort, { notifier, keyring }: WindowEndOptions): EngineThread {
  const asked = new Map<number, (result: Result<unknown, unknown>) => void>()
  const followed = new Map<number, (event: unknown) => void>()
  const started = createAnswer<Result<null, StartFailure>>()
  const restored = createAnswer<Result<RestoreReport | null, StartFailure>>()
  const closed = createAnswer<void>()
  let lost: string | null = null
  let lastId = 0
  const send = (message: ToEngine): void => port.postMessage(message)

  port.on('message', (value) => {
    const message = value as FromEngine
    switch (message.type) {
      case 'answer':
        asked.get(message.id)?.(message.result)
        asked.delete(message.id)
        return
      case 'event':
        return followed.get(message.id)?.(message.event)
      case 'notify':
        return notifier.show(message.message)
      case 'keyring':
        return void askKeyring(keyring, message.request).then((answer) =>
          send({ type: 'secret', id: message.id, answer }),
        )
      case 'started':
        return started.give(message.result)
      case 'restored':
        return restored.give(message.result)
      case 'closed':
        return closed.give()
    }
  })

  return {
    calls: {
      invoke: (channel, input) => {
        if (lost !== null) return Promise.resolve(err({ type: 'owner_gone', message: lost }))
        lastId += 1
        const id = lastId
        send({ type: 'invoke', id, channel, input })
        return new Promise((resolve) => asked.set(id, resolve))
      },
      subscribe: (channel, key, listener) => {
        lastId += 1
        const id = lastId
        followed.set(id, listener)
        send({ type: 'subscribe', id, channel, key })
        return ok(() => {
          if (followed.delete(id)) send({ type: 'unsubscribe', id })
        })
      },
    },
    started: started.given,
    restored: restored.given,
    beginWork: () => send({ type: 'begin_work' }),
    wake: () => send({ type: 'wake' }),
    close(containers) {
      if (lost === null) send({ type: 'close', containers })
      return closed.given
    },
    lose(message) {
      if (lost !== null) return
      lost = message
      for (const answer of asked.values()) answer(err({ type: 'owner_gone', message }))
      asked.clear()
      const failure: StartFailure = { type: 'unexpected', message }
      started.give(err(failure))
      restored.give(err(failure))
      closed.give()
    },
  }
}

async function askKeyring(keyring: SecretBackend | null, request: KeyringRequest): Promise<KeyringAnswer> {
  if (keyring === null) return err({ type: 'no_keyring', message: 'this system has no keyring' })
  try {
    switch (request.act) {
      case 'read':
        return await keyring.read(request.name)
      case 'write':
        return withoutValue(await keyring.write(request.name, request.value))
      case 'remove':
        return withoutValue(await keyring.remove(request.name))
    }
  } catch {
    return err({ type: 'not_readable', message: 'the system keyring does not answer' })
  }
}

const withoutValue = (result: Result<void, Extract<KeyringAnswer, { ok: false }>['error']>): KeyringAnswer =>
  result.ok ? ok(null) : result

interface Answer<T> {
  readonly given: Promise<T>
  give(value: T): void
}

function createAnswer<T>(): Answer<T> {
  let give: (value: T) => void = () => undefined
  const given = new Promise<T>((resolve) => {
    give = resolve
  })
  return { given, give: (value) => give(value) }
}
