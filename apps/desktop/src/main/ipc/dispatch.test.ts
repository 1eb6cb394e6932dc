import { z } from 'zod'
import { describe, expect, it } from 'vitest'
import { command, query, stream } from '@shared/contract/define'
import { err, ok } from '@shared/result'
import { createDispatch } from './dispatch'
import type { Logger } from '../ports/logger'

const contract = {
  things: {
    double: query({ input: z.object({ n: z.number() }), output: z.number() }),
    remove: command({
      input: z.object({ id: z.number() }),
      output: z.null(),
      error: z.object({ type: z.literal('in_use'), by: z.string() }),
    }),
    ticks: stream({ key: z.object({ from: z.number() }), event: z.number() }),
  },
} as const

function setUp() {
  const lines: string[] = []
  const logger: Logger = {
    info: () => undefined,
    warn: () => undefined,
    error: (message, fields) => lines.push(`${fields?.['incidentId']} ${message}`),
    with: () => logger,
  }
  let ticking: ((n: number) => void) | null = null
  const dispatch = createDispatch(
    contract,
    {
      things: {
        double: ({ n }) => {
          if (n === 13) throw new Error('the handler broke')
          return n === 99 ? ok('not a number' as never) : ok(n * 2)
        },
        remove: ({ id }) => (id === 1 ? err({ type: 'in_use', by: 'run 4' }) : ok(null)),
        ticks: (key, emit) => {
          ticking = emit
          emit(key.from)
          return () => {
            ticking = null
          }
        },
      },
    },
    { logger, newIncidentId: () => 'incident-1', checkOutput: true },
  )
  return { dispatch, lines, tick: (n: number) => ticking?.(n), isTicking: () => ticking !== null }
}

describe('dispatch', () => {
  it('answers a query with the output of its handler', async () => {
    expect(await setUp().dispatch.invoke('things.double', { n: 4 })).toEqual(ok(8))
  })

  it('hands on the errors that the contract names', async () => {
    expect(await setUp().dispatch.invoke('things.remove', { id: 1 })).toEqual(
      err({ type: 'in_use', by: 'run 4' }),
    )
  })

  it('refuses an input that does not fit, naming the field', async () => {
    const answer = await setUp().dispatch.invoke('things.double', { n: 'four' })
    expect(answer).toMatchObject({
      ok: false,
      error: { type: 'invalid_input', message: 'n must be a number.' },
    })
  })

  it('says not found for a channel that is in no contract, and for invoking a stream', async () => {
    const { dispatch } = setUp()
    for (const channel of ['things.unknown', 'constructor.double', 'things.ticks'])
      expect(await dispatch.invoke(channel, {})).toMatchObject({ ok: false, error: { type: 'not_found' } })
  })

  it('turns a defect into an incident and logs it under the same id', async () => {
    const { dispatch, lines } = setUp()
    expect(await dispatch.invoke('things.double', { n: 13 })).toEqual(
      err({ type: 'unexpected', incidentId: 'incident-1' }),
    )
    expect(lines[0]).toContain('incident-1')
    expect(lines[0]).toContain('the handler broke')
  })

  it('takes an output that breaks the contract as a defect', async () => {
    expect(await setUp().dispatch.invoke('things.double', { n: 99 })).toMatchObject({
      error: { type: 'unexpected' },
    })
  })

  it('streams events until the subscriber leaves', () => {
    const { dispatch, tick, isTicking } = setUp()
    const seen: unknown[] = []
    const subscription = dispatch.subscribe('things.ticks', { from: 7 }, (event) => seen.push(event))
    tick(8)
    expect(seen).toEqual([7, 8])
    if (!subscription.ok) throw new Error('not subscribed')
    subscription.value()
    expect(isTicking()).toBe(false)
  })

  it('refuses a subscription to something that is no stream', () => {
    expect(setUp().dispatch.subscribe('things.double', null, () => undefined)).toMatchObject({
      error: { type: 'not_found' },
    })
  })
})
