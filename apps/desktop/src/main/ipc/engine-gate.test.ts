import { describe, expect, it } from 'vitest'
import { ok } from '@shared/result'
import type { EngineCalls } from './electron-transport'
import { createEngineGate } from './engine-gate'

function engine(): { readonly calls: EngineCalls; readonly followed: string[]; emit(value: unknown): void } {
  const followed: string[] = []
  let listen: (value: unknown) => void = () => undefined
  return {
    followed,
    emit: (value) => listen(value),
    calls: {
      invoke: async (channel) => ok(`answer of ${channel}`),
      subscribe: (channel, _key, listener) => {
        followed.push(channel)
        listen = listener
        return ok(() => {
          followed.splice(followed.indexOf(channel), 1)
        })
      },
    },
  }
}

describe('the gate before the engine', () => {
  it('answers what was asked before the engine was there', async () => {
    const gate = createEngineGate()
    const answer = gate.calls.invoke('app.status', {})
    gate.open(engine().calls)
    expect(await answer).toEqual(ok('answer of app.status'))
    expect(await gate.calls.invoke('app.info', {})).toEqual(ok('answer of app.info'))
  })

  it('starts the streams that were asked for before', () => {
    const gate = createEngineGate()
    const seen: unknown[] = []
    const subscription = gate.calls.subscribe('app.changes', null, (value) => seen.push(value))
    const real = engine()
    gate.open(real.calls)
    real.emit(1)
    expect(seen).toEqual([1])
    if (subscription.ok) subscription.value()
    expect(real.followed).toEqual([])
  })

  it('starts no stream whose reader has left meanwhile', () => {
    const gate = createEngineGate()
    const subscription = gate.calls.subscribe('app.changes', null, () => undefined)
    if (subscription.ok) subscription.value()
    const real = engine()
    gate.open(real.calls)
    expect(real.followed).toEqual([])
  })

  it('says that there is no engine once that is clear', async () => {
    const gate = createEngineGate()
    const early = gate.calls.invoke('app.status', {})
    gate.shut('the database is damaged')
    const gone = { ok: false, error: { type: 'owner_gone', message: 'the database is damaged' } }
    expect(await early).toEqual(gone)
    expect(gate.calls.subscribe('app.changes', null, () => undefined)).toEqual(gone)
  })
})
