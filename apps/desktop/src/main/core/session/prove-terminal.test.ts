import { describe, expect, it } from 'vitest'
import { proveTerminal, type TerminalFacts } from './prove-terminal'

const [a = '', b = '', c = ''] = ['1', '2', '3'].map((n) => `${n.repeat(8)}-1111-4111-8111-111111111111`)
const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const facts: TerminalFacts = { asked: a, chosen: null, pattern, before: { [a]: 10, [b]: 5 }, after: {} }

describe('what a terminal leaves', () => {
  it('is proven by growth of the asked session', () => {
    expect(proveTerminal({ ...facts, after: { [a]: 11, [b]: 5 } })).toEqual({
      patch: { nativeSessionId: a, resumed: true },
      others: [],
    })
  })

  it('is not proven where nothing grew, since nothing was asked', () => {
    expect(proveTerminal({ ...facts, after: { [a]: 10, [b]: 5 } })).toEqual({ patch: {}, others: [] })
  })

  it('is the one other session that grew', () => {
    expect(proveTerminal({ ...facts, after: { [a]: 10, [b]: 5, [c]: 1 } })).toEqual({
      patch: { nativeSessionId: c },
      others: [c],
    })
    expect(proveTerminal({ ...facts, after: { [a]: 12, [b]: 6 } })).toEqual({
      patch: { nativeSessionId: b, resumed: true },
      others: [b],
    })
  })

  it('stays the asked session where several others grew', () => {
    const proof = proveTerminal({ ...facts, after: { [a]: 12, [b]: 6, [c]: 1 } })
    expect(proof).toEqual({ patch: { nativeSessionId: a, resumed: true }, others: [b, c] })
    expect(proveTerminal({ ...facts, after: { [a]: 10, [b]: 6, [c]: 1 } }).patch).toEqual({})
  })

  it('never is what cannot be an id', () => {
    expect(proveTerminal({ ...facts, after: { '--help': 9, [a]: 10 } })).toEqual({ patch: {}, others: [] })
  })

  it('is the session that a fresh start began', () => {
    const fresh = { ...facts, asked: null, before: {} }
    expect(proveTerminal({ ...fresh, chosen: a, after: { [a]: 4 } }).patch).toEqual({ nativeSessionId: a })
    expect(proveTerminal({ ...fresh, after: { [c]: 4 } }).patch).toEqual({ nativeSessionId: c })
    expect(proveTerminal({ ...fresh, chosen: a, after: {} }).patch).toEqual({})
  })
})
