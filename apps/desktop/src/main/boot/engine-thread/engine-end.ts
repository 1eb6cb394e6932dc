import type { StartFailure } from '@shared/contract/shell-bridge'
import { err, ok, type Result } from '@shared/result'
import type { SecretBackend } from '../../adapters/secrets/secret-backend'
import type { Notifier } from '../../ports/notifications'
import type { SecretsError } from '../../ports/secrets'
import type { Engine } from '../compose'
import type { FromEngine, KeyringAnswer, KeyringRequest, ThreadPort, ToEngine } from './messages'

/** What the window's thread gives to an engine that lives in another. */
export interface WindowParts {
  readonly notifier: Notifier
  readonly keyring: SecretBackend
  /** Done once the window says that the work may begin. */
  readonly workAfter: Promise<void>
}

type EngineCommand = Exclude<ToEngine, { readonly type: 'begin_work' | 'secret' }>

/** Starts an engine with what the window's thread gives, says how that went, and carries out what is asked of it. */
export async function serveWindowThread(
  port: ThreadPort,
  start: (parts: WindowParts) => Promise<Result<Engine, StartFailure>>,
): Promise<void> {
  const send = (message: FromEngine): void => port.postMessage(message)
  const keyring = createKeyringOverThread(send)
  let beginWork = (): void => undefined
  const workAfter = new Promise<void>((resolve) => {
    beginWork = resolve
  })
  const starting = start({
    notifier: { show: (message) => send({ type: 'notify', message }) },
    keyring: keyring.backend,
    workAfter,
  })
  const carryOut = starting.then((started) => (started.ok ? createCarrier(started.value, send) : null))
  port.on('message', (message) => {
    const asked = message as ToEngine
    if (asked.type === 'begin_work') beginWork()
    else if (asked.type === 'secret') keyring.answered(asked.id, asked.answer)
    else void carryOut.then((carry) => carry?.(asked))
  })
  const started = await starting
  send({ type: 'started', result: started.ok ? ok(null) : started })
}

function createCarrier(
  engine: Engine,
  send: (message: FromEngine) => void,
): (asked: EngineCommand) => Promise<void> {
  const subscriptions = new Map<number, () => void>()
  return async (asked) => {
    switch (asked.type) {
      case 'invoke': {
        const { id, channel, input } = asked
        return send({ type: 'answer', id, result: await engine.dispatch.invoke(channel, input) })
      }
      case 'subscribe': {
        const { id, channel, key } = asked
        const begun = engine.dispatch.subscribe(channel, key, (event) => send({ type: 'event', id, event }))
        if (begun.ok) subscriptions.set(id, begun.value)
        return
      }
      case 'unsubscribe':
        subscriptions.get(asked.id)?.()
        subscriptions.delete(asked.id)
        return
      case 'wake':
        return engine.wake()
      case 'close':
        await engine.stop(asked.containers)
        return send({ type: 'closed' })
    }
  }
}

/** The system keyring, which only the window's thread can ask. */
function createKeyringOverThread(send: (message: FromEngine) => void): {
  readonly backend: SecretBackend
  answered(id: number, answer: KeyringAnswer): void
} {
  const waiting = new Map<number, (answer: KeyringAnswer) => void>()
  let lastId = 0
  const ask = (request: KeyringRequest): Promise<KeyringAnswer> =>
    new Promise((resolve) => {
      lastId += 1
      waiting.set(lastId, resolve)
      send({ type: 'keyring', id: lastId, request })
    })
  const change = async (request: KeyringRequest): Promise<Result<void, SecretsError>> => {
    const answer = await ask(request)
    return answer.ok ? ok(undefined) : err(answer.error)
  }
  return {
    backend: {
      read: (name) => ask({ act: 'read', name }),
      write: (name, value) => change({ act: 'write', name, value }),
      remove: (name) => change({ act: 'remove', name }),
    },
    answered(id, answer) {
      waiting.get(id)?.(answer)
      waiting.delete(id)
    },
  }
}
