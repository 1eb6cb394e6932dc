import { describe, expect, it } from 'vitest'
import {
  readRecordedScene,
  recordedScenes,
  type RecordedServer,
} from '../../../../../test/fixtures/forge-recordings'
import { type ForgejoCapability, hasCapability, isTooOld } from './capabilities'

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

it.each([
  ['1.20.6', true],
  ['1.21.0', false],
  ['1.21.11+4-gabc', false],
  ['2.0.0', false],
  ['development', false],
  ['6.0.9+gitea-1.21.0', true],
  ['7.0.0+gitea-1.21.11', false],
  ['7.0.0-dev-1-abc+gitea-1.22.0', false],
  ['17.0.0+gitea-1.22.0', false],
] as const)('%s is too old: %s', (version, isOld) => {
  expect(isTooOld(version)).toBe(isOld)
})

describe('what the oldest servers promise', () => {
  const capabilities = [
    'adds_labels_by_name',
    'removes_label_by_name',
    'compares_description',
    'assigns_one_by_one',
    'lists_action_tasks',
    'lists_action_runs',
    'lists_action_jobs',
    'reads_action_logs',
    'repeats_action_runs',
    'resolves_review_comments',
    'answers_in_review_threads',
    'locks_issues',
  ] as const

  it.each([
    ['gitea', '1.21.0'],
    ['forgejo', '7.0.0+gitea-1.21.11'],
  ] as const)('%s %s: nothing of the table, and the adapter needs nothing of it', (kind, version) => {
    expect(capabilities.filter((capability) => hasCapability(kind, version, capability))).toEqual([])
  })

  it('the newest have what was read in their sources', () => {
    const missing = (kind: 'gitea' | 'forgejo', version: string) =>
      capabilities.filter((capability) => !hasCapability(kind, version, capability))
    expect(missing('gitea', '1.27.0')).toEqual(['removes_label_by_name'])
    expect(missing('forgejo', '16.0.0+gitea-1.22.0')).toEqual([
      'compares_description',
      'assigns_one_by_one',
      'repeats_action_runs',
      'resolves_review_comments',
      'answers_in_review_threads',
      'locks_issues',
    ])
  })
})

/** The requests that show it, and the answers that say no; the site's admin may see more than Alfred. */
const evidence: readonly (readonly [
  ForgejoCapability,
  method: string,
  path: RegExp,
  no: readonly number[],
  sent: RegExp | null,
])[] = [
  ['removes_label_by_name', 'DELETE', /\/issues\/\d+\/labels\/status/, [422], null],
  [
    'adds_labels_by_name',
    'POST',
    /\/issues\/\d+\/labels$/,
    [400, 403, 404, 422],
    /^\{"labels":\["status::in_ci"\]\}$/,
  ],
  ['assigns_one_by_one', 'POST', /\/issues\/\d+\/assignees$/, [404, 405], null],
  ['lists_action_tasks', 'GET', /\/actions\/tasks$/, [404], null],
  ['lists_action_runs', 'GET', /\/actions\/runs$/, [403, 404], null],
  ['lists_action_jobs', 'GET', /\/actions\/runs\/\d+\/jobs$/, [404], null],
  ['reads_action_logs', 'GET', /\/actions\/jobs\/\d+\/logs$/, [404, 500], null],
  ['repeats_action_runs', 'POST', /\/actions\/runs\/\d+\/rerun$/, [404], null],
  ['resolves_review_comments', 'POST', /\/pulls\/comments\/\d+\/resolve$/, [405, 404], null],
  ['answers_in_review_threads', 'POST', /\/pulls\/\d+\/comments\/\d+\/replies$/, [405, 404], null],
  ['locks_issues', 'PUT', /\/issues\/\d+\/lock$/, [404], null],
]

/** The older Gitea says `development`; it was built between these two, and is like the first of them. */
const versionOf = (server: RecordedServer): string =>
  server === 'gitea-1.26-dev'
    ? '1.25.0'
    : readRecordedScene(server, recordedScenes(server)[0] ?? '').server.version

describe.each([
  ['gitea', 'gitea'],
  ['gitea-1.26-dev', 'gitea'],
  ['forgejo', 'forgejo'],
] as const)('a real %s', (server: RecordedServer, kind: 'gitea' | 'forgejo') => {
  const exchanges = recordedScenes(server)
    .map((scene) => readRecordedScene(server, scene))
    .flatMap((scene) => scene.exchanges)
  const version = versionOf(server)

  // Scene 05 was not recorded on the older Gitea.
  const recorded = evidence.filter(
    ([capability]) => server !== 'gitea-1.26-dev' || capability !== 'assigns_one_by_one',
  )

  it.each(recorded)('answers as the table says: %s', (capability, method, path, no, sent) => {
    const statuses = exchanges.flatMap(({ as, request, response }) =>
      as !== 'admin' &&
      request?.method === method &&
      path.test(request.path.split('?')[0] ?? '') &&
      (sent === null || sent.test(JSON.stringify(request.body))) &&
      response !== undefined
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
