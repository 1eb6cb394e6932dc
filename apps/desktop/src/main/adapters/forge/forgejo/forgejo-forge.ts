import type { Project } from '@shared/model/records'
import { err, ok } from '@shared/result'
import type { Forge } from '@main/ports/forge'
import { repositoryUrl } from './base-url'
import { type ForgejoContext, repositoryOf } from './forgejo-context'
import { createGlances } from './glance'
import { openChange } from './open-change'
import { accountSchema } from './parsers'
import { listChangedIssues } from './poll'
import { getAs } from './read-answer'
import { readIssue } from './read-issue'
import { removeLabel, setStatus } from './status-label'
import { addComment, editDescription } from './texts'
import type { ForgejoAccess, ForgejoTransportOptions } from './transport'
import { createForgejoTransport } from './transport'

export interface ForgejoForgeOptions extends Omit<ForgejoContext, 'transport'> {
  readonly baseUrl: string
  readonly access: ForgejoTransportOptions['access']
  /** The certificates of `access` as a file, for git; null: the usual ones. */
  readonly caFile: string | null
  /** Whether something in the project is being worked on, so that edits of comments count. */
  readonly isActive: (project: Project) => boolean
}

/** The engine's side of a Gitea or Forgejo server, as Alfred's own account there. */
export function createForgejoForge(options: ForgejoForgeOptions): Forge {
  const { baseUrl, access, clock } = options
  const transport = createForgejoTransport({ baseUrl, access, now: () => clock.now() })
  const context: ForgejoContext = { ...options, transport }
  const glances = createGlances(context)
  return {
    account: () => getAs(transport, '/user', accountSchema),
    listChangedIssues: (project, cursor) =>
      listChangedIssues(context, project, cursor, { glances, readsComments: options.isActive(project) }),
    readIssue: (project, iid, branch) => readIssue(context, project, iid, branch),
    setStatus: (project, iid, status) => setStatus(context, project, iid, status),
    removeLabel: (project, iid, label) => removeLabel(context, project, iid, label),
    addComment: (project, iid, body) => addComment(context, project, iid, body),
    editDescription: (project, iid, expected, body) => editDescription(context, project, iid, expected, body),
    openChange: (project, change) => openChange(context, project, change),
    remote: async (project) => {
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
