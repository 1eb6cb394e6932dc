import type { z } from 'zod'
import type { ConnectedForge, forgesContract } from '@shared/contract/forges'
import type { OutputOf } from '@shared/contract/define'
import type { ForgeId } from '@shared/model/ids'
import { ok } from '@shared/result'
import { alfredLabels } from '../../core/forge/labels'
import { reportLabels } from '../../core/forge/label-report'
import { addForge, audit, readFitProject } from './add-forge'
import { changeForge } from './change-forge'
import { examineProjects, type ExaminedProject } from './examine-projects'
import { connectedForges, findAccess, findAccessWithToken } from './forge-access'
import { problem, type ForgeAnswer, type ForgeParts } from './forge-parts'
import { placeProject, projectPath, projectsOf } from './place-project'
import { removeForge } from './remove-forge'

type Entries = typeof forgesContract
type Input<K extends keyof Entries> = z.infer<Entries[K]['input']>

export type ForgesService = {
  readonly [K in Exclude<keyof Entries, 'list'>]: (input: Input<K>) => ForgeAnswer<OutputOf<Entries[K]>>
} & {
  list(): Promise<ConnectedForge[]>
  /** Whether Alfred can still work on the watched projects of a forge. */
  examineProjects(forgeId: ForgeId): ForgeAnswer<readonly ExaminedProject[]>
}

/** Connecting other forges than the local one, and what is connected. */
export function createForgesService(parts: ForgeParts): ForgesService {
  const { store, connector, clock } = parts
  const row = async (id: ForgeId): ForgeAnswer<ConnectedForge> => {
    const found = (await listForges(parts)).find(({ forgeId }) => forgeId === id)
    return found === undefined ? problem('not_a_forge', 'This forge is not connected any more.') : ok(found)
  }
  const told = (): void => {
    parts.onProjectsChanged()
    parts.changes.publish({ type: 'projects' })
  }

  return {
    list: () => listForges(parts),
    examineProjects: (forgeId) => examineProjects(parts, forgeId),
    identify: async (target) => {
      const found = await findAccess(parts, target)
      if (!found.ok) return found
      const { access, address, forge } = found.value
      const identity = await connector.identify(access)
      if (!identity.ok) return identity
      return ok({
        ...address,
        ...identity.value,
        isConnected: forge !== null,
        environmentName: parts.environmentName(address.name),
      })
    },
    checkToken: async (target) => {
      const found = await findAccessWithToken(parts, target)
      if (!found.ok) return found
      const examined = await connector.examineToken(found.value.access)
      if (!examined.ok) return examined
      const { account, grants } = examined.value
      return ok({ account: account && { login: account.login, name: account.name }, grants: [...grants] })
    },
    projects: ({ target, search, limit }) => listWritable(parts, target, search, limit),
    add: async (wanted) => {
      const added = await addForge(parts, wanted)
      if (!added.ok) return added
      told()
      return row(added.value)
    },
    remove: async ({ forgeId }) => {
      const removed = await removeForge(parts, forgeId)
      if (removed.ok) told()
      return removed
    },
    change: async (wanted) => {
      const changed = await changeForge(parts, wanted)
      if (!changed.ok) return changed
      told()
      parts.pollNow(wanted.forgeId)
      return row(wanted.forgeId)
    },
    watch: async ({ forgeId, path }) => {
      const found = await findAccessWithToken(parts, { forgeId })
      if (!found.ok) return found
      const project = await readFitProject(parts, found.value.access, path)
      if (!project.ok) return project
      store.transaction(() => placeProject(store.forges, forgeId, project.value, clock.now()))
      told()
      return row(forgeId)
    },
    unwatch: async ({ projectId }) => {
      const isOurs = connectedForges(store).some(({ id }) =>
        projectsOf(store.forges, id).some((project) => project.id === projectId),
      )
      if (!isOurs) return problem('project_unfit', 'This project is not one of a connected forge.')
      store.forges.setWatched(projectId, false)
      told()
      return ok(null)
    },
    pollNow: ({ forgeId }) => {
      parts.pollNow(forgeId)
      return Promise.resolve(ok(null))
    },
    labels: async ({ forgeId, path }) => {
      const found = await findAccessWithToken(parts, { forgeId })
      if (!found.ok) return found
      const names = await connector.listLabels(found.value.access, path)
      return names.ok ? ok(reportLabels(names.value)) : names
    },
    makeLabels: ({ forgeId, path }) => makeLabels(parts, forgeId, path),
  }
}

async function listForges({ store, secrets, environmentName }: ForgeParts): Promise<ConnectedForge[]> {
  return Promise.all(
    connectedForges(store).map(async ({ id, kind, name, baseUrl, caFile, accountLogin }) => {
      const token = await secrets.read(name)
      return {
        forgeId: id,
        kind,
        name,
        baseUrl,
        caFile,
        accountLogin,
        environmentName: environmentName(name),
        hasToken: token.ok && token.value !== null,
        projects: projectsOf(store.forges, id).map((project) => ({
          projectId: project.id,
          path: projectPath(store.forges, project),
          isWatched: project.isWatched,
        })),
      }
    }),
  )
}

async function listWritable(
  parts: ForgeParts,
  target: Input<'projects'>['target'],
  search: string,
  limit: number,
): ForgeAnswer<OutputOf<Entries['projects']>> {
  const { store, connector } = parts
  const found = await findAccessWithToken(parts, target)
  if (!found.ok) return found
  const listed = await connector.listProjects(found.value.access)
  if (!listed.ok) return listed
  const { forge } = found.value
  const watched = new Set(
    (forge === null ? [] : projectsOf(store.forges, forge.id))
      .filter(({ isWatched }) => isWatched)
      .map(({ id }) => store.forges.placeOf(id)?.remoteId),
  )
  const wanted = search.trim().toLowerCase()
  const matching = listed.value.projects
    .filter(({ mayWrite, path }) => mayWrite && path.toLowerCase().includes(wanted))
    .toSorted((a, b) => a.path.localeCompare(b.path))
  return ok({
    projects: matching.slice(0, limit).map(({ path, isPrivate, isEmpty, remoteId }) => ({
      path,
      isPrivate,
      isEmpty,
      isWatched: watched.has(remoteId),
    })),
    total: matching.length,
    isWhole: listed.value.isWhole,
  })
}

/** One after the other: a forge that limits requests gets few, and what was made before a failure stays. */
async function makeLabels(
  parts: ForgeParts,
  forgeId: ForgeId,
  path: string,
): ForgeAnswer<OutputOf<Entries['makeLabels']>> {
  const { connector } = parts
  const found = await findAccessWithToken(parts, { forgeId })
  if (!found.ok) return found
  const { access } = found.value
  const before = await connector.listLabels(access, path)
  if (!before.ok) return before
  const missing = new Set(reportLabels(before.value).missing)
  const made: string[] = []
  for (const label of alfredLabels.filter(({ name }) => missing.has(name))) {
    const one = await connector.makeLabel(access, path, label)
    if (!one.ok) return one
    made.push(label.name)
  }
  const after = await connector.listLabels(access, path)
  if (!after.ok) return after
  audit(parts, 'labels made', { forge: found.value.address.name, project: path, labels: made })
  return ok({ made, labels: reportLabels(after.value) })
}
