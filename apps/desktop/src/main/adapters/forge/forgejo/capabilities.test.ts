import { describe, expect, it } from 'vitest'
import {
  readRecordedScene,
  recordedScenes,
  type RecordedServer,
} from '../../../../../test/fixtures/forge-recordings'
import { type ForgejoCapability, hasCapability } from './capabilities'

describe('the version', () => {
  it.each([
    ['gitea', '1.25.4', false],
    ['gitea', '1.26.0', true],
    ['gitea', 'v1.26.0+rc1', true],
    ['gitea', '1.100.0', true],
    ['gitea', '2.0.0', true],
    ['gitea', 'development', false],
    ['forgejo', '17.0.0+gitea-1.22.0', false],
  ] as const)('%s %s compares descriptions: %s', (kind, version, isAble) => {
    expect(hasCapability(kind, version, 'compares_description')).toBe(isAble)
  })

  it.each([
    ['7.0.14+gitea-1.21.0', false],
    ['12.4.0+gitea-1.22.0', false],
    ['13.0.0+gitea-1.22.0', true],
  ])('Forgejo %s removes a label by name: %s', (version, isAble) => {
    expect(hasCapability('forgejo', version, 'removes_label_by_name')).toBe(isAble)
  })
})

/** The requests that show it, and the statuses that say no. */
const evidence: readonly (readonly [
  ForgejoCapability,
  method: string,
  path: RegExp,
  no: readonly number[],
])[] = [
  ['removes_label_by_name', 'DELETE', /\/issues\/\d+\/labels\/status/, [422]],
  ['assigns_one_by_one', 'POST', /\/issues\/\d+\/assignees$/, [404, 405]],
  ['lists_action_tasks', 'GET', /\/actions\/tasks$/, [404]],
  ['resolves_review_comments', 'POST', /\/pulls\/comments\/\d+\/resolve$/, [405, 404]],
  ['answers_in_review_threads', 'POST', /\/pulls\/\d+\/comments\/\d+\/replies$/, [405, 404]],
  ['locks_issues', 'PUT', /\/issues\/\d+\/lock$/, [404]],
]

describe.each([
  ['gitea', 'gitea'],
  ['forgejo', 'forgejo'],
] as const)('a real %s', (server: RecordedServer, kind: 'gitea' | 'forgejo') => {
  const scenes = recordedScenes(server).map((scene) => readRecordedScene(server, scene))
  const version = scenes[0]?.server.version ?? ''
  const exchanges = scenes.flatMap((scene) => scene.exchanges)

  it.each(evidence)('answers as the table says: %s', (capability, method, path, no) => {
    const statuses = exchanges.flatMap(({ request, response }) =>
      request?.method === method && path.test(request.path.split('?')[0] ?? '') && response !== undefined
        ? [response.status]
        : [],
    )
    expect(statuses).not.toEqual([])
    expect(statuses.some((status) => !no.includes(status))).toBe(hasCapability(kind, version, capability))
  })

  it('counts the writes of a description as the table says', () => {
    const counts = exchanges.some(
      ({ response }) => JSON.stringify(response?.body)?.includes('"content_version"') === true,
    )
    expect(counts).toBe(hasCapability(kind, version, 'compares_description'))
  })
})
