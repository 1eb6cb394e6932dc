import type { Mailbox, Project, Run } from '@shared/model/records'
import type { MarkerKind } from '@shared/model/words'
import { err, ok, type Result } from '@shared/result'
import { buildPrompt, type PromptText } from '../../core/prompt/build-prompt'
import { branchName } from '../../core/session/branch-name'
import { isSectionChanged } from '../../core/workflow/changed-since'
import { issueDigests, sectionOf, withoutSection } from '../../core/workflow/description-section'
import { parseMarker, textSha256, withoutMarker } from '../../core/workflow/markers'
import { followedPeople, isFollowed } from '../../core/workflow/trust'
import type { ForgeComment, ForgeError, ForgeIssueSnapshot } from '../../ports/forge'
import { toPost } from './to-post'
import type { IssueWords, RunPrompt } from './ports-of-workflow'
import { sha256, type WorkflowParts } from './workflow-parts'

/** The prompt of a phase run from the issue as it is now. Fails when the forge does not give a whole answer. */
export async function buildRunPrompt(parts: WorkflowParts, run: Run): Promise<Result<RunPrompt, ForgeError>> {
  const { store, settings } = parts
  const mailbox = store.mailboxes.get(run.mailboxId)
  const project = store.forges.getProject(mailbox.projectId)
  const snapshot = await parts.forgeOf(project).readIssue(project, mailbox.iid, mailbox.branchName)
  if (!snapshot.ok) return err(snapshot.error)
  const { issue } = snapshot.value
  const texts = readTexts(parts, { project, mailbox, run, snapshot: snapshot.value })
  const plan = store.plans.find(mailbox.id)
  const { values } = settings.of(project)
  const organization = store.forges.getOrganization(project.organizationId)
  const prefix = values.BRANCH_PREFIX
  return ok({
    issueSha256: issueDigests(sha256, issue).issueSha256,
    text: buildPrompt({
      phase: run.phase,
      iid: mailbox.iid,
      projectPath: `${organization.slug}/${project.slug}`,
      title: issue.title,
      description: texts.description,
      comments: texts.comments,
      functionalAnalysis: plan?.functionalAnalysis ?? null,
      changedAnalysis: changedAnalysis(parts, mailbox, snapshot.value),
      plan: plan?.plan ?? null,
      branchName: mailbox.branchName ?? branchName({ prefix, iid: mailbox.iid, title: mailbox.title }),
      baseBranch: mailbox.baseBranch ?? project.defaultBranch,
    }),
  })
}

/** The description without Alfred's own section, and the comments, as they are now. */
export async function readIssueWords(
  parts: WorkflowParts,
  run: Run,
): Promise<Result<IssueWords, ForgeError>> {
  const mailbox = parts.store.mailboxes.get(run.mailboxId)
  const project = parts.store.forges.getProject(mailbox.projectId)
  const snapshot = await parts.forgeOf(project).readIssue(project, mailbox.iid, mailbox.branchName)
  return snapshot.ok ? ok(readTexts(parts, { project, mailbox, run, snapshot: snapshot.value })) : snapshot
}

/** Nobody says who wrote it: it is information, whoever did. */
function changedAnalysis(
  { store }: WorkflowParts,
  { id }: Mailbox,
  snapshot: ForgeIssueSnapshot,
): PromptText | null {
  const posts = store.outbox.listByMailbox(id).map(toPost)
  const isChanged = isSectionChanged({ digest: sha256, plan: store.plans.find(id), posts, snapshot })
  const body = sectionOf(snapshot.issue.body)
  return isChanged && body !== null ? { login: 'somebody', body, isFollowed: false } : null
}

interface Read {
  readonly project: Project
  readonly mailbox: Mailbox
  readonly run: Run
  readonly snapshot: ForgeIssueSnapshot
}

function readTexts(
  parts: WorkflowParts,
  read: Read,
): { readonly description: PromptText; readonly comments: readonly PromptText[] } {
  const { store, settings, clock } = parts
  const { project, snapshot } = read
  const { accountId } = store.forges.getForge(project.forgeId)
  const followed = followedPeople({
    accountId,
    ownerIds: [...parts.ownerIdsOf(project), ...snapshot.ownerIds],
    trustedPeople: settings.of(project).values.TRUSTED_PEOPLE,
    labelEvents: snapshot.labelEvents,
    assignments: snapshot.assignments,
    now: clock.now(),
  })
  const { issue } = snapshot
  return {
    description: {
      login: issue.author.login,
      body: withoutSection(issue.body),
      isFollowed: isFollowed(issue.author, followed) && isAsApproved(parts, read),
    },
    comments: snapshot.comments.flatMap((comment) => {
      const own = ownKind(parts, comment, accountId)
      if (own !== null && !WORTH_REPEATING.has(own)) return []
      const isByAlfred = own !== null
      return [
        {
          login: isByAlfred ? 'Alfred' : comment.author.login,
          body: isByAlfred ? withoutMarker(comment.body) : comment.body,
          // What an agent wrote earlier is information too, no instruction.
          isFollowed: !isByAlfred && isFollowed(comment.author, followed),
        },
      ]
    }),
  }
}

/** Own comments that a fresh session must know; plan and analysis come from the store. */
const WORTH_REPEATING: ReadonlySet<MarkerKind> = new Set(['questions', 'answer'])

/** In development a text that changed since the plan was validated is not followed any more. */
function isAsApproved({ store }: WorkflowParts, { mailbox, run, snapshot }: Read): boolean {
  const approval = store.plans.latestApproval(mailbox.id)
  if (run.phase !== 'development' || approval === null) return true
  const { titleSha256, bodySha256 } = issueDigests(sha256, snapshot.issue)
  return titleSha256 === approval.titleSha256 && bodySha256 === approval.bodySha256
}

/** The kind of a comment that Alfred posted and nobody has edited since; null for all others. */
function ownKind({ store }: WorkflowParts, comment: ForgeComment, accountId: string): MarkerKind | null {
  const marker = comment.author.id === accountId ? parseMarker(comment.body) : null
  const posted = marker === null ? null : store.outbox.findByKey(marker.key)
  const isUnchanged = posted !== null && posted.postedSha256 === textSha256(sha256, comment.body)
  return marker !== null && isUnchanged ? marker.kind : null
}
