import { alfredLabels } from '@main/core/forge/labels'
import { type Report, reasonOf, TrialFailure } from './report'
import type { Trial } from './trial'

/*
 * Takes away what a trial left on the forge. It goes by what is there under the trial's name, not by what the trial knows
 * to have made: one that was cut off in the middle of a request is tidied up too. What cannot be taken away keeps
 * nothing else from going, and is named.
 */

interface Tidied {
  readonly done: string[]
  /** What stays against our will, and why. */
  readonly left: string[]
}

/** True: nothing is left that could be taken away. */
export async function tidyUp(trial: Trial, report: Report): Promise<boolean> {
  let isTidy = true
  const tidy = async (what: string, work: (tidied: Tidied) => Promise<void>): Promise<void> => {
    const tidied: Tidied = { done: [], left: [] }
    try {
      await work(tidied)
    } catch (thrown) {
      tidied.left.push(
        `all of ${trial.id} that is still there, since it cannot be looked up (${reasonOf(thrown)})`,
      )
    }
    const { done, left } = tidied
    if (left.length > 0) isTidy = false
    if (done.length > 0) report.add({ step: `tidy: ${what}`, state: 'ok', result: done.join(', ') })
    if (left.length > 0) report.add({ step: `tidy: ${what}`, state: 'left', result: left.join(', ') })
  }
  await tidy('issues', (tidied) => removeIssues(trial, tidied))
  await tidy('branches', (tidied) => removeBranches(trial, tidied))
  await tidy('labels', (tidied) => removeLabels(trial, tidied))
  return isTidy
}

/** One that fails is left, and the others are gone on with. */
async function each<T>(
  things: readonly T[],
  { done, left }: Tidied,
  nameOf: (thing: T) => string,
  work: (thing: T) => Promise<string | null>,
): Promise<void> {
  for (const thing of things) {
    try {
      const words = await work(thing)
      if (words !== null) done.push(words)
    } catch (thrown) {
      left.push(`${nameOf(thing)} (${reasonOf(thrown)})`)
    }
  }
}

/** Closed before their branches go. Only admins may delete; for others they stay, closed. */
async function removeIssues({ id, prefix, since, place, person }: Trial, tidied: Tidied): Promise<void> {
  const pulls = (await place.pulls()).filter(({ base, head }) =>
    [base.ref, head.ref, head.label].some((branch) => branch.startsWith(prefix)),
  )
  const numbers = new Set(pulls.map(({ number }) => number))
  const issues = (await place.issues({ since })).filter(
    ({ number, title }) => title.includes(id) || numbers.has(number),
  )
  const nameOf = ({ number }: { readonly number: number }): string => `#${number}`
  await each(issues, tidied, nameOf, async ({ number, state }) => {
    if (state === 'open') await place.close(number)
    return null
  })
  await each(issues, tidied, nameOf, async ({ number }) => {
    const isGone = (await place.deleteIssue(number)) || (await person?.deleteIssue(number)) === true
    return isGone ? `#${number} deleted` : `#${number} closed (only an admin may delete it)`
  })
}

async function removeBranches({ prefix, place }: Trial, tidied: Tidied): Promise<void> {
  const branches = (await place.branches()).filter(({ name }) => name.startsWith(prefix))
  await each(
    branches,
    tidied,
    ({ name }) => name,
    async ({ name }) => {
      if (!(await place.deleteBranch(name))) throw new TrialFailure('may not be deleted')
      return `${name} deleted`
    },
  )
}

/** Those that Alfred made for this trial, unless somebody uses them by now. */
async function removeLabels({ id, labelsBefore, place }: Trial, tidied: Tidied): Promise<void> {
  const known = new Set(alfredLabels.map(({ name }) => name))
  const made = (await place.labels()).filter((label) => !labelsBefore.has(label.id) && known.has(label.name))
  let deleted = 0
  await each(
    made,
    tidied,
    ({ name }) => name,
    async (label) => {
      const users = (await place.issues({ labels: label.name })).filter(({ title }) => !title.includes(id))
      if (users.some(({ labels }) => labels.some((other) => other.id === label.id)))
        return `${label.name} left, since it is used`
      await place.deleteLabel(label.id)
      deleted += 1
      return null
    },
  )
  if (deleted > 0) tidied.done.unshift(`${deleted} deleted`)
}
