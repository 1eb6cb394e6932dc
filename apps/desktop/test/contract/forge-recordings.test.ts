import { describe, expect, it } from 'vitest'
import { readRecordedScene, recordedScenes, recordedServers } from '../fixtures/forge-recordings'

describe('the recordings of real forges', () => {
  it.each([
    ['gitea', 1034],
    ['gitea-1.26-dev', 528],
    ['forgejo', 1025],
  ] as const)('%s: %d exchanges, whole', (server, count) => {
    const exchanges = recordedScenes(server).flatMap((scene) => readRecordedScene(server, scene).exchanges)
    expect(exchanges).toHaveLength(count)
    expect(JSON.stringify(exchanges)).not.toContain('$shared')
  })

  it('puts the addresses in place', () => {
    for (const server of recordedServers) {
      const scene = readRecordedScene(server, '01-version-and-user', { base: 'http://127.0.0.1:1/git' })
      const user = scene.exchanges.find(({ request }) => request?.path === '/api/v1/user')?.response?.body
      expect(user).toMatchObject({ html_url: 'http://127.0.0.1:1/git/alfred-bot' })
    }
  })
})
