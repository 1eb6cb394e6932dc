import type { ForgeProblem } from '@shared/contract/forges'
import type { ForgeId } from '@shared/model/ids'
import { ok, type Result } from '@shared/result'
import type { ConnectableProject, ForgeAccess } from '../../ports/forge-connector'
import { checkToken } from './check-token'
import { findAccessWithToken } from './forge-access'
import { problem, type ForgeAnswer, type ForgeParts } from './forge-parts'
import { keepToken } from './keep-token'
import { placeProject } from './place-project'

export interface ForgeToAdd {
  readonly url: string
  readonly caFile: string | null
  readonly token: string | null
  /** `owner/name` of each. */
  readonly projects: readonly string[]
  readonly mayKeepInFile: boolean
}

/** All or nothing: whatever is not right is told before anything is stored. */
export async function addForge(parts: ForgeParts, wanted: ForgeToAdd): ForgeAnswer<ForgeId> {
  const { store, connector, clock } = parts
  const found = await findAccessWithToken(parts, wanted)
  if (!found.ok) return found
  const { access, address, caFile, forge } = found.value
  if (forge !== null) return problem('connected_already', `${address.name} is connected already.`)
  const identity = await connector.identify(access)
  if (!identity.ok) return identity
  const account = await checkToken(parts, found.value)
  if (!account.ok) return account
  const projects = await readProjects(parts, access, wanted.projects)
  if (!projects.ok) return projects
  const kept = await keepToken(parts, address.name, access.token ?? '', wanted.mayKeepInFile)
  if (!kept.ok) return kept

  const at = clock.now()
  const { kind } = identity.value
  const added = store.transaction(() => {
    const { id } = store.forges.addForge(
      {
        kind,
        name: address.name,
        baseUrl: address.baseUrl,
        caFile,
        accountId: account.value.id,
        accountLogin: account.value.login,
      },
      at,
    )
    for (const project of projects.value) {
      placeProject(store.forges, id, project, at)
    }
    audit(parts, 'forge connected', { forge: address.name, projects: projects.value.map(({ path }) => path) })
    return id
  })
  return ok(added)
}

/** Those named, as the forge knows them; the first that Alfred could not work on is told. */
async function readProjects(
  parts: Pick<ForgeParts, 'connector'>,
  access: ForgeAccess,
  paths: readonly string[],
): ForgeAnswer<readonly ConnectableProject[]> {
  const projects: ConnectableProject[] = []
  for (const path of new Set(paths)) {
    const project = await readFitProject(parts, access, path)
    if (!project.ok) return project
    projects.push(project.value)
  }
  return ok(projects)
}

export async function readFitProject(
  { connector }: Pick<ForgeParts, 'connector'>,
  access: ForgeAccess,
  path: string,
): ForgeAnswer<ConnectableProject> {
  if (!/^[^/\s]+\/[^/\s]+$/.test(path)) {
    return problem('project_unfit', `${path} is no project: write OWNER/NAME.`)
  }
  const project = await connector.readProject(access, path)
  return project.ok ? fit(project.value) : project
}

const fit = (project: ConnectableProject): Result<ConnectableProject, ForgeProblem> =>
  project.mayWrite
    ? ok(project)
    : problem('project_unfit', `${project.path} ${project.unfitBecause ?? 'cannot be written'}.`)

export function audit(
  { store, clock }: Pick<ForgeParts, 'store' | 'clock'>,
  what: string,
  detail: unknown,
): void {
  store.audit.add({ at: clock.now(), who: 'person', what, mailboxId: null, runId: null, detail })
}
