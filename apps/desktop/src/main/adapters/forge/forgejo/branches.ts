import { ok, type Result } from '@shared/result'
import type { ForgeError } from '@main/ports/forge'
import type { ForgejoContext, Repository } from './forgejo-context'
import { branchSchema } from './parsers'
import { readAs } from './read-answer'
import { pathOf } from './transport'

/*
 * Branches as the API knows them, which after a first push is up to two seconds later than git. A branch that it is
 * about to learn is a 404 on one server and a 500 on the other.
 */

const settleMs = 500
const settleTries = 8

/** null: there is none. */
export async function readBranch(
  { transport, clock }: ForgejoContext,
  repository: Repository,
  name: string,
): Promise<Result<{ readonly sha: string | null } | null, ForgeError>> {
  const path = `${repository.path}${pathOf`/branches/${name}`}`
  for (let left = settleTries; ; left--) {
    const answer = await transport.get(path)
    if (answer.ok) {
      const branch = readAs(branchSchema, answer.value, path)
      return branch.ok ? ok({ sha: branch.value.commit }) : branch
    }
    if (answer.error.type === 'not_found') return ok(null)
    if (answer.error.status !== 500 || left === 0) return answer
    await clock.sleep(settleMs)
  }
}

/** Waits for a branch that was pushed just now; false: it is not there. */
export async function waitForBranch(
  context: ForgejoContext,
  repository: Repository,
  name: string,
): Promise<Result<boolean, ForgeError>> {
  for (let left = settleTries; ; left--) {
    const branch = await readBranch(context, repository, name)
    if (!branch.ok) return branch
    if (branch.value !== null || left === 0) return ok(branch.value !== null)
    await context.clock.sleep(settleMs)
  }
}
