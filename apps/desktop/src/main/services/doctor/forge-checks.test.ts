import { expect, it } from 'vitest'
import type { ForgeId, ProjectId } from '@shared/model/ids'
import { err, ok } from '@shared/result'
import { forgeChecks } from './forge-checks'

type Forges = Parameters<typeof forgeChecks>[0]

const grants = [{ need: 'write_issues', scope: 'write:issue', state: 'works' }] as const
const healthy: Forges = {
  list: () =>
    Promise.resolve([
      {
        forgeId: 1 as ForgeId,
        kind: 'gitea',
        name: 'git.example.org',
        baseUrl: 'https://git.example.org',
        caFile: null,
        accountLogin: 'bot',
        environmentName: 'ALFRED_TOKEN_GIT_EXAMPLE_ORG',
        hasToken: true,
        projects: [
          { projectId: 1 as ProjectId, path: 'acme/shop', isWatched: true },
          { projectId: 2 as ProjectId, path: 'acme/old', isWatched: false },
        ],
      },
    ]),
  identify: () =>
    Promise.resolve(
      ok({
        baseUrl: 'https://git.example.org',
        name: 'git.example.org',
        kind: 'gitea',
        version: '1.26.3',
        clockDifferenceMs: 1_000,
        isEncrypted: true,
        isConnected: true,
        environmentName: 'ALFRED_TOKEN_GIT_EXAMPLE_ORG',
      }),
    ),
  checkToken: () => Promise.resolve(ok({ account: { login: 'bot', name: 'Bot' }, grants: [...grants] })),
  examineProjects: () => Promise.resolve(ok([{ path: 'acme/shop', unfitBecause: null, isThere: true }])),
  labels: () => Promise.resolve(ok({ missing: [], twins: [], misspelt: [] })),
}

/** Each line as its state and its words. */
async function linesOf(change: Partial<Forges> = {}) {
  const lines: string[] = []
  for (const { check, find } of await forgeChecks({ ...healthy, ...change })) {
    const { state, detail, fix } = await find()
    lines.push(`${state} ${check.title}: ${detail}${fix === undefined ? '' : ` -> ${fix.action}`}`)
  }
  return lines
}

it('passes a forge that answers, whose token, clock, projects and labels are right', async () => {
  expect(await linesOf()).toEqual([
    'passed git.example.org: Gitea 1.26.3 answers',
    'passed Token of git.example.org: works for all that Alfred must do, as bot',
    'passed Clock of git.example.org: agrees with this computer',
    'passed Projects on git.example.org: acme/shop can be worked on',
    'passed Labels on git.example.org: all there',
  ])
})

it('asks a forge that does not answer once, and skips the rest', async () => {
  let asked = 0
  const identify = () => {
    asked += 1
    return Promise.resolve(err({ type: 'unreachable', message: 'Nothing answers.' } as const))
  }
  expect(await linesOf({ identify })).toEqual([
    'failed git.example.org: Nothing answers. -> check_again',
    'skipped Token of git.example.org: needs the forge',
    'skipped Clock of git.example.org: needs the forge',
    'skipped Projects on git.example.org: needs the forge',
    'skipped Labels on git.example.org: needs the forge',
  ])
  expect(asked).toBe(1)
})

it('says what is wrong with a token, scope by scope, and whose it is', async () => {
  const weak = [{ ...grants[0], state: 'missing' as const }]
  const lacks = () => Promise.resolve(ok({ account: null, grants: weak }))
  expect((await linesOf({ checkToken: lacks }))[1]).toBe(
    'failed Token of git.example.org: lacks write:issue, to comment, set labels and write the analysis -> open_forges',
  )
  const other = () => Promise.resolve(ok({ account: { login: 'dev', name: 'Dev' }, grants: [...grants] }))
  expect((await linesOf({ checkToken: other }))[1]).toContain('failed Token of git.example.org: is of dev')
  const refused = () => Promise.resolve(err({ type: 'token_refused', message: 'Refused.' } as const))
  expect((await linesOf({ checkToken: refused }))[1]).toContain('failed Token of git.example.org: Refused.')
})

it('says what Alfred does without where the token reaches less', async () => {
  const less = [
    ...grants,
    { need: 'private_projects', scope: 'all repositories', state: 'missing' },
    { need: 'organization_labels', scope: 'read:organization', state: 'missing' },
  ] as const
  const checkToken = () => Promise.resolve(ok({ account: { login: 'bot', name: 'Bot' }, grants: [...less] }))
  expect((await linesOf({ checkToken }))[1]).toBe(
    'passed Token of git.example.org: works for all that Alfred must do, as bot; it is a public-only token: private projects are not seen; without read:organization labels of organizations are not seen',
  )
})

it('says once that a token is refused', async () => {
  const refused = () => Promise.resolve(err({ type: 'token_refused', message: 'Refused.' } as const))
  expect(await linesOf({ checkToken: refused, examineProjects: refused, labels: refused })).toEqual([
    'passed git.example.org: Gitea 1.26.3 answers',
    'failed Token of git.example.org: Refused. -> open_forges',
    'passed Clock of git.example.org: agrees with this computer',
    'skipped Projects on git.example.org: needs the token',
    'skipped Labels on git.example.org: needs the token',
  ])
})

it('tells a clock that is off as something that may be so, since times of the forge count', async () => {
  const identity = await healthy.identify({ forgeId: 1 as ForgeId })
  if (!identity.ok) throw new Error('it answers')
  const off = (clockDifferenceMs: number | null) =>
    linesOf({ identify: () => Promise.resolve(ok({ ...identity.value, clockDifferenceMs })) })
  expect((await off(-300_000))[2]).toBe(
    "optional Clock of git.example.org: 5 min behind this computer; Alfred goes by the forge's clock",
  )
  expect((await off(null))[2]).toContain('skipped')
})

it('names each project that is archived, may only be read or is gone, and asks for no labels of one that is gone', async () => {
  const asked: unknown[] = []
  const list = async () => {
    const [forge] = await healthy.list()
    if (forge === undefined) throw new Error('there is one')
    const projects = ['acme/old', 'acme/lent', 'acme/lost'].map((path, at) => ({
      projectId: (at + 1) as ProjectId,
      path,
      isWatched: true,
    }))
    return [{ ...forge, projects }]
  }
  const lines = await linesOf({
    list,
    examineProjects: () =>
      Promise.resolve(
        ok([
          { path: 'acme/old', unfitBecause: 'is archived', isThere: true },
          { path: 'acme/lent', unfitBecause: 'may not be written by this account', isThere: true },
          { path: 'acme/lost', unfitBecause: 'is gone, or hidden from this account', isThere: false },
        ]),
      ),
    labels: (project) => {
      asked.push(project)
      return healthy.labels(project)
    },
  })
  expect(lines.slice(3)).toEqual([
    'failed Projects on git.example.org: acme/old is archived; acme/lent may not be written by this account; acme/lost is gone, or hidden from this account -> open_forges',
    'passed Labels on git.example.org: all there in 2 projects',
  ])
  expect(asked).toEqual([
    { forgeId: 1, path: 'acme/old' },
    { forgeId: 1, path: 'acme/lent' },
  ])
  const hidden = await linesOf({
    examineProjects: () =>
      Promise.resolve(ok([{ path: 'acme/shop', unfitBecause: 'is gone', isThere: false }])),
  })
  expect(hidden[4]).toBe('skipped Labels on git.example.org: no watched project is there')
})

it('names what is wrong with labels of watched projects only', async () => {
  const asked: unknown[] = []
  const labels: Forges['labels'] = (project) => {
    asked.push(project)
    const twins = [{ name: 'ai::retry', count: 2 }]
    return Promise.resolve(ok({ missing: ['status::done'], twins, misspelt: [] }))
  }
  expect((await linesOf({ labels }))[4]).toBe(
    'failed Labels on git.example.org: acme/shop: 1 label is missing. 2 labels are called ai::retry: setting one sets all. Delete all but one. -> open_forges',
  )
  expect(asked).toEqual([{ forgeId: 1, path: 'acme/shop' }])
})

it('names each project that it cannot look at, beside what is wrong with the others', async () => {
  const paths = ['acme/broken', 'acme/old', 'acme/shop']
  const projects = paths.map((path, at) => ({ projectId: (at + 1) as ProjectId, path, isWatched: true }))
  const list = async () => (await healthy.list()).map((forge) => ({ ...forge, projects }))
  const message = 'git.example.org is not available now (500). Try again in a few minutes.'
  const lines = await linesOf({
    list,
    examineProjects: () =>
      Promise.resolve(
        ok([
          {
            path: 'acme/broken',
            unfitBecause: `cannot be looked at: ${message.slice(0, -1)}`,
            isThere: true,
          },
          { path: 'acme/old', unfitBecause: 'is archived', isThere: true },
          { path: 'acme/shop', unfitBecause: null, isThere: true },
        ]),
      ),
    labels: ({ path }) =>
      Promise.resolve(
        path === 'acme/broken'
          ? err({ type: 'unreachable', message } as const)
          : ok({ missing: path === 'acme/old' ? ['status::done'] : [], twins: [], misspelt: [] }),
      ),
  })
  expect(lines.slice(3)).toEqual([
    'failed Projects on git.example.org: acme/broken cannot be looked at: git.example.org is not available now (500). Try again in a few minutes; acme/old is archived -> open_forges',
    'failed Labels on git.example.org: acme/broken: git.example.org is not available now (500). Try again in a few minutes. acme/old: 1 label is missing. -> open_forges',
  ])
})
