import { expect, it } from 'vitest'
import { ok } from '@shared/result'
import type { Dispatch } from './dispatch'
import { refuseSecrets } from './refuse-secrets'

const asked: unknown[] = []
const behind: Dispatch = {
  channels: [],
  subscribe: () => ok(() => undefined),
  invoke: (_channel, input) => {
    asked.push(input)
    return Promise.resolve(ok(null))
  },
}

it('lets everything through but a token, however deep it lies', async () => {
  const { invoke } = refuseSecrets(behind)
  const refused = { ok: false, error: { type: 'invalid_input' } }
  expect(await invoke('forges.add', { url: 'x', token: 'secret' })).toMatchObject(refused)
  expect(await invoke('forges.projects', { target: { token: 'secret' } })).toMatchObject(refused)
  expect(await invoke('forges.add', { url: 'x', token: null })).toEqual(ok(null))
  expect(await invoke('app.info', undefined)).toEqual(ok(null))
  expect(JSON.stringify(asked)).not.toContain('secret')
})
