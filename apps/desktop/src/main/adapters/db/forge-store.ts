import type { Database } from 'better-sqlite3'
import type { ForgeId, OrganizationId, ProjectId } from '@shared/model/ids'
import type { Forge, Organization, Project } from '@shared/model/records'
import type { ForgeKind } from '@shared/model/words'
import type { ForgeStore, ProjectPlace } from '@main/ports/stores'
import { existing, fromFlag, toFlag } from './row-values'

type ProjectRow = Omit<Project, 'isDemo' | 'isWatched'> & {
  readonly isDemo: number
  readonly isWatched: number
}

const forgeColumns = `id, kind, name, base_url AS baseUrl, ca_file AS caFile,
  account_id AS accountId, account_login AS accountLogin`
const organizationColumns = 'id, forge_id AS forgeId, slug'
const projects = `SELECT p.id, p.organization_id AS organizationId, o.forge_id AS forgeId, p.slug,
  p.default_branch AS defaultBranch, p.is_demo AS isDemo, p.is_watched AS isWatched
  FROM projects p JOIN organizations o ON o.id = p.organization_id`

/** Writes `forges`, `organizations`, `projects` and `forge_projects`. */
export function createForgeStore(db: Database): ForgeStore {
  const addForge = db.prepare<
    [string, string, string, string | null, string, string, number],
    { id: ForgeId }
  >(
    `INSERT INTO forges (kind, name, base_url, ca_file, account_id, account_login, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  )
  const addOrganization = db.prepare<[number, string, number], Organization>(
    `INSERT INTO organizations (forge_id, slug, created_at) VALUES (?, ?, ?) RETURNING ${organizationColumns}`,
  )
  const addProject = db.prepare<[number, string, string, number, number, number], { id: ProjectId }>(
    `INSERT INTO projects (organization_id, slug, default_branch, is_demo, is_watched, created_at)
     VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
  )
  const listForges = db.prepare<[], Forge>(`SELECT ${forgeColumns} FROM forges ORDER BY id`)
  const findForgeByKind = db.prepare<[ForgeKind], Forge>(
    `SELECT ${forgeColumns} FROM forges WHERE kind = ? ORDER BY id LIMIT 1`,
  )
  const getForge = db.prepare<[number], Forge>(`SELECT ${forgeColumns} FROM forges WHERE id = ?`)
  const getOrganization = db.prepare<[number], Organization>(
    `SELECT ${organizationColumns} FROM organizations WHERE id = ?`,
  )
  const findOrganization = db.prepare<[number, string], Organization>(
    `SELECT ${organizationColumns} FROM organizations WHERE forge_id = ? AND slug = ?`,
  )
  const getProject = db.prepare<[number], ProjectRow>(`${projects} WHERE p.id = ?`)
  const findProject = db.prepare<[number, string], ProjectRow>(
    `${projects} WHERE p.organization_id = ? AND p.slug = ?`,
  )
  const listProjects = db.prepare<[], ProjectRow>(`${projects} ORDER BY o.slug, p.slug, p.id`)
  const setWatched = db.prepare<[number, number]>('UPDATE projects SET is_watched = ? WHERE id = ?')
  const updateForge = db.prepare<[ForgeKind, string | null, string, string, number]>(
    'UPDATE forges SET kind = ?, ca_file = ?, account_id = ?, account_login = ? WHERE id = ?',
  )
  const removeForge = db.prepare<[number]>('DELETE FROM forges WHERE id = ?')
  const setPlace = db.prepare<[number, string, string]>(
    `INSERT INTO forge_projects (project_id, path, remote_id) VALUES (?, ?, ?)
     ON CONFLICT (project_id) DO UPDATE SET path = excluded.path, remote_id = excluded.remote_id`,
  )
  const placeOf = db.prepare<[number], ProjectPlace>(
    'SELECT path, remote_id AS remoteId FROM forge_projects WHERE project_id = ?',
  )
  const setDefaultBranch = db.prepare<[string, number]>('UPDATE projects SET default_branch = ? WHERE id = ?')
  const removeProject = db.prepare<[number]>('DELETE FROM projects WHERE id = ?')

  return {
    addForge: (forge, at) => {
      const { kind, name, baseUrl, caFile, accountId, accountLogin } = forge
      const row = addForge.get(kind, name, baseUrl, caFile, accountId, accountLogin, at)
      return { ...forge, id: existing(row, 'forge', 0).id }
    },
    addOrganization: (forgeId, slug, at) =>
      existing(addOrganization.get(forgeId, slug, at), 'organization', 0),
    addProject: (project, at) => {
      const { organizationId, slug, defaultBranch, isDemo, isWatched } = project
      const added = addProject.get(organizationId, slug, defaultBranch, toFlag(isDemo), toFlag(isWatched), at)
      const id = existing(added, 'project', 0).id
      return toProject(existing(getProject.get(id), 'project', id))
    },
    listForges: () => listForges.all(),
    findForgeByKind: (kind) => findForgeByKind.get(kind) ?? null,
    getForge: (id) => existing(getForge.get(id), 'forge', id),
    getOrganization: (id: OrganizationId) => existing(getOrganization.get(id), 'organization', id),
    findOrganization: (forgeId, slug) => findOrganization.get(forgeId, slug) ?? null,
    getProject: (id) => toProject(existing(getProject.get(id), 'project', id)),
    findProject: (organizationId, slug) => {
      const row = findProject.get(organizationId, slug)
      return row === undefined ? null : toProject(row)
    },
    listProjects: () => listProjects.all().map(toProject),
    setDefaultBranch: (id, branch) => {
      setDefaultBranch.run(branch, id)
    },
    setWatched: (id, isWatched) => {
      setWatched.run(toFlag(isWatched), id)
    },
    updateForge: (id, { kind, caFile, accountId, accountLogin }) => {
      updateForge.run(kind, caFile, accountId, accountLogin, id)
    },
    removeForge: (id) => {
      removeForge.run(id)
    },
    setPlace: (id, { path, remoteId }) => {
      setPlace.run(id, path, remoteId)
    },
    placeOf: (id) => placeOf.get(id) ?? null,
    removeProject: (id) => {
      removeProject.run(id)
    },
  }
}

const toProject = (row: ProjectRow): Project => ({
  ...row,
  isDemo: fromFlag(row.isDemo),
  isWatched: fromFlag(row.isWatched),
})
