import { expect, it } from 'vitest'
import type { CommonError } from '@shared/contract/define'
import { EngineError } from '../../lib/engine-client'
import { chatStateOf } from './chat-state'

const failed = (error: CommonError, data?: object) => ({
  data,
  error: new EngineError('chats.thread', error),
})
const read = { data: {}, error: null }
const gone = { type: 'not_found', what: 'chat 4' } as const
const silent = { type: 'owner_gone', message: 'The engine does not answer.' } as const

it('says that a chat was removed only when the engine says so, also of one that was read before', () => {
  expect(chatStateOf([failed(gone), read], [read])).toEqual({ type: 'missing' })
  expect(chatStateOf([failed(gone, {}), read], [read])).toEqual({ type: 'missing' })
  expect(chatStateOf([read, failed(silent)], [read]).type).not.toBe('missing')
})

it('goes on showing what was read, with the reason why it may be out of date', () => {
  expect(chatStateOf([failed(silent, {}), read], [read])).toEqual({
    type: 'shown',
    problem: 'The engine does not answer.',
  })
  expect(chatStateOf([read, read], [failed({ type: 'unexpected', incidentId: 'i-1' }, {})])).toEqual({
    type: 'shown',
    problem: 'Alfred itself failed. The log has it under i-1.',
  })
})

it('names the error of a chat that was never read; without one it is still read', () => {
  expect(chatStateOf([read, read], [failed(silent)])).toEqual({
    type: 'failed',
    problem: 'The engine does not answer.',
  })
  expect(chatStateOf([read, { data: undefined, error: null }], [read])).toEqual({ type: 'loading' })
  expect(chatStateOf([read, read], [read])).toEqual({ type: 'shown', problem: null })
})
