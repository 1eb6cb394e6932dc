import type { Project } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import { alfredLabels, statusLabelPrefix, toStatusLabel } from '@main/core/forge/labels'
import type { ForgeError } from '@main/ports/forge'
import { type ForgejoContext, type Repository, repositoryOf } from './forgejo-context'
import { type Label, labelsSchema } from './parsers'
import { getAllPages, readAs } from './read-answer'
import { readOneIssue } from './read-issue'
import { pathOf } from './transport'

/*
 * Labels of an issue, set and removed by id: a name may belong to two labels, and an unknown one is dropped without a
 * word. The set is never replaced as a whole, so what a person sets at the same moment stays.
 */

/** For a status that this version does not know. */
const unknownStatusColor = '#64748b'

export async function setStatus(
  context: ForgejoContext,
  project: Project,
  iid: number,
  status: string | null,
): Promise<Result<void, ForgeError>> {
  const repository = repositoryOf(context, project)
  if (!repository.ok) return repository
  const issue = await readOneIssue(context, repository.value, iid)
  if (!issue.ok) return issue
  const wanted = status === null ? null : toStatusLabel(status)
  const there = lowest(issue.value.labels, wanted)
  // The new one first: between the two writes the issue then has a status too many, never none.
  const added =
    wanted === null || there !== null
      ? ok({ labels: issue.value.labels, kept: there })
      : await addLabel(context, repository.value, iid, wanted)
  if (!added.ok) return added
  const { labels, kept } = added.value
  return removeLabels(
    context,
    repository.value,
    iid,
    labels.filter(({ id, name }) => id !== kept && isStatusInAnyCase(name)),
  )
}

export async function removeLabel(
  context: ForgejoContext,
  project: Project,
  iid: number,
  name: string,
): Promise<Result<void, ForgeError>> {
  const repository = repositoryOf(context, project)
  if (!repository.ok) return repository
  const issue = await readOneIssue(context, repository.value, iid)
  if (!issue.ok) return issue
  return removeLabels(
    context,
    repository.value,
    iid,
    issue.value.labels.filter((label) => label.name === name),
  )
}

const isStatusInAnyCase = (name: string): boolean => name.toLowerCase().startsWith(statusLabelPrefix)

/** Of twins everybody takes the one that was made first. */
const lowest = (labels: readonly Label[], name: string | null): number | null => {
  const ids = labels.filter((label) => label.name === name).map(({ id }) => id)
  return ids.length === 0 ? null : Math.min(...ids)
}

async function addLabel(
  { transport }: ForgejoContext,
  repository: Repository,
  iid: number,
  name: string,
): Promise<Result<{ readonly labels: readonly Label[]; readonly kept: number }, ForgeError>> {
  const id = await findOrMakeLabel({ transport }, repository, name)
  if (!id.ok) return id
  const path = `${repository.path}/issues/${iid}/labels`
  const answer = await transport.post(path, { labels: [id.value] })
  if (!answer.ok) return answer
  const labels = readAs(labelsSchema, answer.value, path)
  if (!labels.ok) return labels
  if (labels.value.some((label) => label.id === id.value)) return ok({ labels: labels.value, kept: id.value })
  return err({
    type: 'conflict',
    message: `The forge did not set the label ${name}; was it deleted meanwhile?`,
    retryable: true,
  })
}

async function findOrMakeLabel(
  { transport }: Pick<ForgejoContext, 'transport'>,
  repository: Repository,
  name: string,
): Promise<Result<number, ForgeError>> {
  const path = `${repository.path}/labels`
  const own = await getAllPages(transport, path, labelsSchema, { until: 'total' })
  if (!own.ok) return own
  const found = lowest(own.value, name)
  if (found !== null) return ok(found)
  const shared = await labelsOfOrganization(transport, repository)
  const inherited = lowest(shared, name)
  if (inherited !== null) return ok(inherited)
  const made = await transport.post(path, { name, color: colorOf(name) })
  if (!made.ok) return made
  // Somebody may have made the same one at this moment: of twins the first counts, on both sides.
  const again = await getAllPages(transport, path, labelsSchema, { until: 'total' })
  if (!again.ok) return again
  const id = lowest(again.value, name)
  return id === null
    ? err({ type: 'conflict', message: `The label ${name} was deleted meanwhile.`, retryable: true })
    : ok(id)
}

const colorOf = (name: string): string =>
  alfredLabels.find((label) => label.name === name)?.color ?? unknownStatusColor

/** The owner may be a person, and the token may not reach organizations: then there are none to use. */
async function labelsOfOrganization(
  transport: ForgejoContext['transport'],
  { owner }: Repository,
): Promise<readonly Label[]> {
  const labels = await getAllPages(transport, pathOf`/orgs/${owner}/labels`, labelsSchema, { until: 'total' })
  return labels.ok ? labels.value : []
}

async function removeLabels(
  { transport }: ForgejoContext,
  repository: Repository,
  iid: number,
  labels: readonly Label[],
): Promise<Result<void, ForgeError>> {
  for (const { id } of labels) {
    const removed = await transport.delete(`${repository.path}/issues/${iid}/labels/${id}`)
    // A label that does not exist any more is off as well: 422, from Gitea 1.27 on 404.
    const isGone = !removed.ok && (removed.error.status === 422 || removed.error.status === 404)
    if (!removed.ok && !isGone) return removed
  }
  return ok(undefined)
}
