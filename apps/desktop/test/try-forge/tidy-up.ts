import { alfredLabels } from '@main/core/forge/labels'
import { type Report, reasonOf } from './report'
import type { Trial } from './trial'

/*
 * Takes away what a trial left on the forge. It goes by what is there under the trial's name, not by what the trial knows
 * to have made: one that was cut off in the middle of a request is tidied up too.
 */

/** True: nothing is left that could be taken away. */
export async function tidyUp(trial: Trial, report: Report): Promise<boolean> {
  let isTidy = true
  const tidy = async (what: string, work: () => Promise<string | null>): Promise<void> => {
    try {
      const result = await work()
      if (result !== null) report.add({ step: `tidy: ${what}`, state: 'ok', result })
    } catch (thrown) {
      isTidy = false
      report.add({ step: `tidy: ${what}`, state: 'left', result: reasonOf(thrown) })
    }
  }
  await tidy('issues', () => removeIssues(trial))
  await tidy('branches', () => removeBranches(trial))
  await tidy('labels', () => removeLabels(trial))
  return isTidy
}

/** Closed before their branches go. Only admins may delete; for others they stay, closed. */
async function removeIssues({ id, prefix, since, place, person }: Trial): Promise<string | null> {
  const pulls = (await place.pulls()).filter(({ base, head }) =>
    [base.ref, head.ref, head.label].some((branch) => branch.startsWith(prefix)),
  )
  const numbers = new Set(pulls.map(({ number }) => number))
  const issues = (await place.issues({ since })).filter(
    ({ number, title }) => title.includes(id) || numbers.has(number),
  )
  for (const issue of issues) {
    if (issue.state === 'open') await place.close(issue.number)
  }
  const done: string[] = []
  for (const { number } of issues) {
    const isGone = (await place.deleteIssue(number)) || (await person?.deleteIssue(number)) === true
    done.push(isGone ? `#${number} deleted` : `#${number} closed (only an admin may delete it)`)
  }
  return done.length === 0 ? null : done.join(', ')
}

async function removeBranches({ prefix, place }: Trial): Promise<string | null> {
  const branches = (await place.branches()).filter(({ name }) => name.startsWith(prefix))
  for (const { name } of branches) {
    if (!(await place.deleteBranch(name))) throw new Error(`${name} may not be deleted`)
  }
  return branches.length === 0 ? null : `${branches.map(({ name }) => name).join(', ')} deleted`
}

/** Those that Alfred made for this trial, unless somebody uses them by now. */
async function removeLabels({ id, labelsBefore, place }: Trial): Promise<string | null> {
  const known = new Set(alfredLabels.map(({ name }) => name))
  const made = (await place.labels()).filter((label) => !labelsBefore.has(label.id) && known.has(label.name))
  const used: string[] = []
  for (const label of made) {
    const users = (await place.issues({ labels: label.name })).filter(({ title }) => !title.includes(id))
    if (users.some(({ labels }) => labels.some((other) => other.id === label.id))) used.push(label.name)
    else await place.deleteLabel(label.id)
  }
  const deleted = made.length - used.length
  return made.length === 0
    ? null
    : [`${deleted} deleted`, ...used.map((name) => `${name} left, since it is used`)].join(', ')
}
