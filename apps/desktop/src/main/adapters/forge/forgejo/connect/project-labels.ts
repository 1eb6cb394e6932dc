import { z } from 'zod'
import type { ForgeProblem } from '@shared/contract/forges'
import { ok, type Result } from '@shared/result'
import { type ForgejoTransport, pathOf } from '../transport'
import { problem, problemOf } from './problems'

const pageSize = 50
const maxPages = 100

const labelsSchema = z.array(z.object({ id: z.number(), name: z.string() })).nullable()

/**
 * Names of all labels that issues of the project can have: its own and those of its organization, each as often as it
 * is there. Of an organization whose labels the token may not read, and of a person, there are none.
 */
export async function listLabels(
  transport: ForgejoTransport,
  where: string,
  path: string,
): Promise<Result<readonly string[], ForgeProblem>> {
  const own = await listAt(transport, where, labelsOf(path))
  if (!own.ok) return own
  const shared = await listAt(transport, where, pathOf`/orgs/${path.split('/')[0] ?? ''}/labels`)
  if (!shared.ok && shared.error.type !== 'forbidden' && shared.error.type !== 'project_unfit') return shared
  return ok([...new Map([...own.value, ...(shared.ok ? shared.value : [])]).values()])
}

async function listAt(
  transport: ForgejoTransport,
  where: string,
  list: string,
): Promise<Result<ReadonlyMap<number, string>, ForgeProblem>> {
  const labels = new Map<number, string>()
  for (let page = 1; page <= maxPages; page += 1) {
    // Without `page` some versions ignore `limit`.
    const answer = await transport.get(list, { query: { page, limit: pageSize } })
    if (!answer.ok) return problemOf(answer.error, where)
    const parsed = labelsSchema.safeParse(answer.value.body)
    if (!parsed.success)
      return problem('unexpected_answer', `${where} gave a list of labels that Alfred cannot read.`)
    const before = labels.size
    for (const { id, name } of parsed.data ?? []) labels.set(id, name)
    // The same page again: this server does not page here.
    if (!parsed.data?.length || labels.size === before) break
  }
  return ok(labels)
}

export async function makeLabel(
  transport: ForgejoTransport,
  where: string,
  path: string,
  label: { readonly name: string; readonly color: string },
): Promise<Result<void, ForgeProblem>> {
  const answer = await transport.post(labelsOf(path), { name: label.name, color: label.color })
  if (answer.ok) return ok(undefined)
  return answer.error.status === 403
    ? problem('forbidden', `The account may not make labels in ${path}. Ask an owner of it to make them.`)
    : problemOf(answer.error, where)
}

function labelsOf(path: string): string {
  const [owner = '', name = ''] = path.split('/')
  return pathOf`/repos/${owner}/${name}/labels`
}
