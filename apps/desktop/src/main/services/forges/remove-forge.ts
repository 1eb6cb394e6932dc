import type { ForgeId, OrganizationId, ProjectId } from '@shared/model/ids'
import { settingKeySchema, type SettingScope } from '@shared/model/settings'
import { ok } from '@shared/result'
import type { Store } from '../../ports/stores'
import { audit } from './add-forge'
import { findForge } from './forge-access'
import { problem, type ForgeAnswer, type ForgeParts } from './forge-parts'
import { projectPath, projectsOf } from './place-project'

/** Ends the connection; what Alfred has of its projects goes with it. Nothing changes on the forge. */
export async function removeForge(parts: ForgeParts, forgeId: ForgeId): ForgeAnswer<null> {
  const { store, secrets } = parts
  const forge = findForge(parts, forgeId)
  if (!forge.ok) return forge
  const projects = projectsOf(store.forges, forgeId)
  const ids = new Set(projects.map(({ id }) => id))
  const live = store.runs.listLive().find((run) => ids.has(store.mailboxes.get(run.mailboxId).projectId))
  if (live !== undefined) {
    const project = store.forges.getProject(store.mailboxes.get(live.mailboxId).projectId)
    return problem(
      'run_live',
      `Run ${live.id} of ${projectPath(store.forges, project)} has not ended yet. Stop it first.`,
    )
  }
  // From here on nothing new is taken up there.
  for (const { id } of projects) store.forges.setWatched(id, false)
  parts.onProjectsChanged()
  for (const project of projects) await parts.removeData(project)
  store.transaction(() => {
    resetSettings(store, new Set(projects.map(({ organizationId }) => organizationId)), ids)
    store.forges.removeForge(forgeId)
    audit(parts, 'forge removed', { forge: forge.value.name })
  })
  await secrets.remove(forge.value.name)
  return ok(null)
}

/** An id that is given out again must not find settings of somebody else. */
function resetSettings(
  store: Store,
  organizations: ReadonlySet<OrganizationId>,
  projects: ReadonlySet<ProjectId>,
): void {
  const gone: Readonly<Record<SettingScope, ReadonlySet<number>>> = {
    app: new Set(),
    organization: organizations,
    project: projects,
  }
  for (const { scope, scopeId, key } of store.settings.list()) {
    const known = settingKeySchema.safeParse(key)
    if (known.success && gone[scope].has(scopeId)) store.settings.reset(scope, scopeId, known.data)
  }
}
