import type { TokenGrant } from '@shared/contract/forges'
import { err, ok } from '@shared/result'
import type { ConnectableProject, ForgeConnector, ForgeIdentity } from '@main/ports/forge-connector'

export interface FakeForgeConnector extends ForgeConnector {
  identity: ForgeIdentity
  /** By token: whose it is, and what it lacks. */
  readonly tokens: Map<string, { readonly id: string; readonly lacks?: readonly TokenGrant['need'][] }>
  readonly projects: ConnectableProject[]
  readonly labels: Map<string, string[]>
}

const scopes = {
  account: 'read:user',
  read_issues: 'read:issue',
  write_issues: 'write:issue',
  read_code: 'read:repository',
  write_code: 'write:repository',
  private_projects: 'all repositories',
  organization_labels: 'read:organization',
} as const

export const connectable = (path: string, more: Partial<ConnectableProject> = {}): ConnectableProject => ({
  path,
  remoteId: `id of ${path}`,
  defaultBranch: 'main',
  isPrivate: false,
  isEmpty: false,
  mayWrite: true,
  unfitBecause: null,
  ...more,
})

/** A forge in memory, for those who only connect it. */
export function createFakeForgeConnector(): FakeForgeConnector {
  const tokens: FakeForgeConnector['tokens'] = new Map([['good', { id: '2' }]])
  const projects: ConnectableProject[] = []
  const labels = new Map<string, string[]>()
  const fake: FakeForgeConnector = {
    identity: { kind: 'gitea', version: '1.26.3', clockDifferenceMs: 0 },
    tokens,
    projects,
    labels,
    readAddress: (pasted) =>
      pasted.includes(' ')
        ? err({ type: 'address', message: `${pasted} is not an address.` })
        : ok({
            baseUrl: pasted,
            name: pasted.replace(/^https?:\/\//, ''),
            isEncrypted: pasted.startsWith('https:'),
          }),
    readCertificates: (file) => Promise.resolve(ok(`certificates of ${file}`)),
    identify: () => Promise.resolve(ok(fake.identity)),
    examineToken: ({ token }) => {
      const found = tokens.get(token ?? '')
      if (found === undefined)
        return Promise.resolve(err({ type: 'token_refused', message: 'It does not accept this token.' }))
      const grants = (Object.keys(scopes) as TokenGrant['need'][]).map((need) => ({
        need,
        scope: scopes[need],
        state: found.lacks?.includes(need) ? ('missing' as const) : ('works' as const),
      }))
      return Promise.resolve(ok({ account: { id: found.id, login: `bot-${found.id}`, name: 'Bot' }, grants }))
    },
    listProjects: () => Promise.resolve(ok({ projects, isWhole: true })),
    readProject: (_access, path) => {
      const found = projects.find((project) => project.path.toLowerCase() === path.toLowerCase())
      return Promise.resolve(
        found === undefined ? err({ type: 'project_unfit', message: `${path} is not there.` }) : ok(found),
      )
    },
    findProject: (_access, remoteId) =>
      Promise.resolve(ok(projects.find((project) => project.remoteId === remoteId) ?? null)),
    listLabels: (_access, path) => Promise.resolve(ok([...(labels.get(path) ?? [])])),
    makeLabel: (_access, path, { name }) => {
      labels.set(path, [...(labels.get(path) ?? []), name])
      return Promise.resolve(ok(undefined))
    },
  }
  return fake
}
