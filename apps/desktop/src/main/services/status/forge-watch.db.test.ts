import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Forge, Project } from '@shared/model/records'
import { err, ok } from '@shared/result'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import type { ForgeErrorType } from '../../ports/forge'
import { createForgeWatch, type ForgeWatch } from './forge-watch'

let opened: TestStore
let forge: Forge
let projects: readonly Project[]
let changes: number
let watch: ForgeWatch
let now: number

beforeEach(() => {
  opened = openTestStore()
  const { forges } = opened.store
  forge = forges.addForge(
    {
      kind: 'gitea',
      name: 'git.x',
      baseUrl: 'https://git.x',
      caFile: null,
      accountId: '2',
      accountLogin: 'bot',
    },
    1,
  )
  const organization = forges.addOrganization(forge.id, 'acme', 1)
  projects = ['shop', 'till'].map((slug) =>
    forges.addProject(
      { organizationId: organization.id, slug, defaultBranch: 'main', isDemo: false, isWatched: true },
      1,
    ),
  )
  changes = 0
  now = 100
  watch = createForgeWatch({ store: opened.store, clock: { now: () => now }, onChange: () => (changes += 1) })
})
afterEach(() => opened.remove())

const failed = (type: ForgeErrorType, status: number | null) =>
  err({ type, message: `It is ${type}.`, retryable: true, status })

it('says nothing of a forge that answers, and of one that was not asked yet', () => {
  expect(watch.banners()).toEqual([])
  watch.polled(projects[0]!, ok(undefined), 900, false)
  expect(watch.banners()).toEqual([])
  expect(watch.healthOf(forge.id)).toBe('ok')
  expect(changes).toBe(0)
})

it.each([
  ['unreachable', 502, 'forge_unreachable', 'warn'],
  ['rate_limited', 429, 'forge_rate_limited', 'warn'],
  ['unauthorized', 401, 'forge_token', 'bad'],
] as const)('tells a forge that is %s once, until it answers again', (type, status, code, severity) => {
  watch.polled(projects[0]!, ok(undefined), 900, false)
  now = 200
  for (const project of projects) watch.polled(project, failed(type, status), 1_200, false)
  expect(watch.banners()).toMatchObject([
    {
      code,
      severity,
      facts: {
        forge: 'git.x',
        forgeId: forge.id,
        status,
        projects: 2,
        posts: 0,
        until: 1_200,
        lastAnswerAt: 100,
      },
    },
  ])
  expect(watch.healthOf(forge.id)).not.toBe('ok')
  watch.polled(projects[1]!, ok(undefined), 2_000, false)
  expect(watch.banners()).toEqual([])
  expect(changes).toBe(2)
})

it('tells a project that cannot be polled by itself, for as long as it is watched', () => {
  watch.polled(projects[0]!, failed('not_found', 404), 900, false)
  watch.polled(projects[1]!, ok(undefined), 900, false)
  expect(watch.healthOf(forge.id)).toBe('ok')
  expect(watch.banners()).toEqual([
    {
      code: 'forge_project',
      severity: 'warn',
      facts: { forge: 'git.x', forgeId: forge.id, project: 'acme/shop', message: 'It is not_found.' },
    },
  ])
  opened.store.forges.setWatched(projects[0]!.id, false)
  expect(watch.banners()).toEqual([])
})

it('tells a project that is not reached by itself while its forge answers others', () => {
  watch.polled(projects[1]!, ok(undefined), 900, false)
  watch.polled(projects[0]!, failed('unreachable', 504), 900, true)
  expect(watch.healthOf(forge.id)).toBe('ok')
  expect(watch.banners()).toMatchObject([
    { code: 'forge_project', facts: { project: 'acme/shop', message: 'It is unreachable.' } },
  ])
  // That is no answer: a forge that goes away stays away.
  watch.polled(projects[1]!, failed('unreachable', 502), 1_200, false)
  watch.polled(projects[0]!, failed('unreachable', 504), 1_300, true)
  expect(watch.banners()).toMatchObject([
    { code: 'forge_unreachable', facts: { status: 502, lastAnswerAt: 100 } },
  ])
  watch.polled(projects[0]!, ok(undefined), 1_400, false)
  expect(watch.banners()).toEqual([])
})

it('says nothing of a forge that was removed', () => {
  watch.polled(projects[0]!, failed('unauthorized', 401), 900, false)
  opened.store.forges.removeForge(forge.id)
  expect(watch.banners()).toEqual([])
})
