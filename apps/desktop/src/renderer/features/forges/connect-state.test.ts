import { expect, it } from 'vitest'
import { connectReason } from './connect-state'
import type { CheckedServer, CheckedToken } from './use-connect-draft'

const server = (isConnected = false): CheckedServer => ({
  state: 'good',
  value: {
    baseUrl: 'https://git.example.org',
    name: 'git.example.org',
    kind: 'gitea',
    version: '1.26.3',
    clockDifferenceMs: 0,
    isEncrypted: true,
    isConnected,
    environmentName: 'ALFRED_TOKEN_GIT_EXAMPLE_ORG',
  },
})
const token = (state: 'works' | 'missing' | 'unknown', login: string | null = 'bot'): CheckedToken => ({
  state: 'good',
  value: {
    account: login === null ? null : { login, name: login },
    grants: [{ need: 'write_code', scope: 'write:repository', state }],
  },
})

it('says the first thing that is in the way of a connection', () => {
  expect(connectReason({ state: 'unknown' }, { state: 'unknown' })).toBe('Give the address of the forge.')
  expect(connectReason({ state: 'checking' }, { state: 'unknown' })).toBe('The forge is being asked.')
  const down = { state: 'bad', error: { type: 'unreachable', message: 'Nothing answers.' } } as const
  expect(connectReason(down, { state: 'unknown' })).toBe('The address does not work yet.')
  const untrusted = { state: 'bad', error: { type: 'certificate_file', message: 'No.' } } as const
  expect(connectReason(untrusted, { state: 'unknown' })).toBe('The certificate is not trusted yet.')
  expect(connectReason(server(true), token('works'))).toBe('git.example.org is connected already.')
  expect(connectReason(server(), { state: 'unknown' })).toBe('Give a token.')
  expect(connectReason(server(), { ...down })).toBe('The token does not work yet.')
  expect(connectReason(server(), token('missing'))).toBe(
    'The token lacks write:repository, to push branches and open pull requests.',
  )
})

it('lets one be made with a token that works, also where the forge does not tell all of it', () => {
  expect(connectReason(server(), token('works'))).toBeNull()
  expect(connectReason(server(), token('unknown'))).toBeNull()
})
