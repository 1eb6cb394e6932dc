import type { Project } from '@shared/model/records'
import { err, ok } from '@shared/result'
import type { Forge } from '@main/ports/forge'
import { repositoryUrl } from './base-url'
import { createCapabilities } from './capabilities'
import { type ForgejoContext, repositoryOf } from './forgejo-context'
import { createGlances } from './glance'
import { closeChange, isInOpenChange, lookAtChange } from './changes'
import { lookAtChecks } from './head-status'
import { openChange } from './open-change'
import { accountSchema } from './parsers'
import { listChangedIssues } from './poll'
import { getAs } from './read-answer'
import { lookAtIssue, readIssue } from './read-issue'
import { removeLabel, setStatus } from './status-label'
import { addComment, editDescription } from './texts'
import type { ForgejoAccess, ForgejoTransportOptions } from './transport'
import { createForgejoTransport } from './transport'
import { createWhereabouts } from './whereabouts'

export interface ForgejoForgeOptions extends Omit<ForgejoContext, 'transport' | 'can'> {
  readonly baseUrl: string
  readonly access: ForgejoTransportOptions['access']
  readonly startTimer?: ForgejoTransportOptions['startTimer']
  /** The certificates of `access` as a file, for git; null: the usual ones. */
  readonly caFile: string | null
  /** Whether something in the project is being worked on, so that edits of comments count. */
  readonly isActive: (project: Project) => boolean
}

/** The engine's side of a Gitea or Forgejo server, as Alfred's own account there. */
export function createForgejoForge(options: ForgejoForgeOptions): Forge {
  const { baseUrl, access, clock, startTimer } = options
  const now = (): number => clock.now()
  const transport = createForgejoTransport({ baseUrl, access, now, ...(startTimer && { startTimer }) })
  const context: ForgejoContext = { ...options, transport, can: createCapabilities(transport) }
  const glances = createGlances(context)
  const { at, writeAt, stillFit, follow } = createWhereabouts(context)
  return {
    account: () => getAs(transport, '/user', accountSchema),
    listChangedIssues: async (project, cursor, how) => {
      const fit = await stillFit(project)
      if (!fit.ok) return fit
      const readsComments = options.isActive(project) && how?.leavesEdits !== true
      const reading = { glances, readsComments }
      return at(project, () => listChangedIssues(context, project, cursor, reading))
    },
    readIssue: (project, iid, branch) => at(project, () => readIssue(context, project, iid, branch)),
    looks: {
      change: (project, changeIid) => at(project, () => lookAtChange(context, project, changeIid)),
      issue: (project, iid) => at(project, () => lookAtIssue(context, project, iid)),
      checks: (project, headSha) => at(project, () => lookAtChecks(context, project, headSha)),
    },
    setStatus: (project, iid, status) => writeAt(project, () => setStatus(context, project, iid, status)),
    removeLabel: (project, iid, label) => writeAt(project, () => removeLabel(context, project, iid, label)),
    addComment: (project, iid, body) => writeAt(project, () => addComment(context, project, iid, body)),
    editDescription: (project, iid, expected, body) =>
      writeAt(project, () => editDescription(context, project, iid, expected, body)),
    openChange: (project, change) => writeAt(project, () => openChange(context, project, change)),
    closeChange: (project, changeIid) => writeAt(project, () => closeChange(context, project, changeIid)),
    isInOpenChange: (project, branch) => at(project, () => isInOpenChange(context, project, branch)),
    remote: async (project) => {
      // Git follows no redirect, and another repository may have the old name.
      const followed = await follow(project)
      if (!followed.ok) return followed
      const repository = repositoryOf(context, project)
      if (!repository.ok) return repository
      const read = await access()
      if (!read.ok) return err({ type: 'unauthorized', message: read.error.message, retryable: false })
      return ok({
        url: `${repositoryUrl(baseUrl, repository.value.fullName)}.git`,
        credential: credentialOf(read.value, context.account.login),
        caFile: options.caFile,
      })
    },
  }
}

/** The servers take the token as the password, whatever the user's name is. */
const credentialOf = ({ token }: ForgejoAccess, username: string) =>
  token === null ? null : { username, password: token }
