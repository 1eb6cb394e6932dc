import { setTimeout as sleep } from 'node:timers/promises'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import { parseMarker } from '@main/core/workflow/markers'
import { type Report, TrialFailure } from './report'
import type { Trial } from './trial'
import { expectOk, type TrialEngine } from './trial-engine'

/*
 * The life of one issue, in which this program is the person: it opens the issue, validates the plan, has the checks go
 * green and merges. What Alfred did is looked at on the forge.
 */

interface Stage {
  readonly engine: TrialEngine
  readonly report: Report
  readonly signal: AbortSignal
}

/** The first run waits for the agent image, which may have to be built. */
const imagePatienceMs = 30 * 60_000
const commentPatienceMs = 60_000
const mergeTries = 10

export async function playLife(trial: Trial, stage: Stage): Promise<void> {
  const { report } = stage
  const { place } = trial
  await report.step('labels', () => makeLabels(trial, stage))
  const base = `${trial.prefix}base`
  await report.step('base branch', async () => {
    await place.makeBranch(base, trial.defaultBranch)
    return [undefined, `${base} from ${trial.defaultBranch}, so that nothing reaches ${trial.defaultBranch}`]
  })
  const issue = await report.step('issue', async () => {
    const number = await place.openIssue({
      title: `Alfred trial ${trial.id}: turn titles into slugs`,
      body: 'Opened by `npm run try:forge`, which tidies up after itself.\n',
      ref: base,
      assignees: [trial.login],
    })
    return [number, `#${number} opened and assigned to ${trial.login}`]
  })
  const life = createLife(trial, stage, issue)
  await report.step('taken up', async () => {
    await life.comment('acknowledgement')
    return [undefined, `acknowledged, ${await life.status()}`]
  })
  await report.step('analysis', async () => {
    const plan = await life.comment('plan', imagePatienceMs)
    const { body } = await place.issue(issue)
    if (!body?.includes('<!-- agent:section:start -->'))
      throw new TrialFailure('The description has no section of Alfred.')
    return [undefined, `section in the description, plan in comment ${plan}, ${await life.status()}`]
  })
  await report.step('validation', () => validate(trial, life, issue))
  const change = await report.step('development', async () => {
    const mailbox = await life.mailbox('the change', ({ changeIid }) => changeIid !== null)
    await life.comment('change_opened')
    return [
      { mailboxId: mailbox.id, iid: mailbox.changeIid ?? 0, branch: mailbox.branchName ?? '' },
      `${String(mailbox.branchName)} pushed, change #${String(mailbox.changeIid)} opened`,
    ]
  })
  await report.step('memory', async () => {
    const sessions = expectOk(
      await stage.engine.client.call('sessions', 'records', { mailboxId: change.mailboxId, limit: 10 }),
    )
    if (!sessions.some(({ resumed }) => resumed))
      throw new TrialFailure('The development did not resume the session of the analysis.')
    return [undefined, 'the development resumed the session of the analysis']
  })
  const head = await report.step('change', () => checkChange(trial, change, base, issue))
  await report.step('checks', () => playChecks(trial, life, head))
  await report.step('merge', () => merge(trial, stage, change.iid, base))
  await report.step('done', async () => {
    await life.mailbox('the end', ({ status }) => status === 'done')
    const status = await life.status('done')
    const { state } = await place.issue(issue)
    return [undefined, `${status}, #${issue} is ${state}`]
  })
}

type Life = ReturnType<typeof createLife>

/** How the issue stands: for Alfred, and on the forge. */
function createLife({ projectPath, place }: Trial, { engine, signal }: Stage, issue: number) {
  const { client } = engine
  /** null: Alfred has not seen it yet. */
  const find = async (): Promise<MailboxDetail | null> => {
    const found = expectOk(await client.call('mailboxes', 'find', { projectPath, iid: issue }))
    return found === null ? null : expectOk(await client.call('mailboxes', 'get', found))
  }
  let blockedSince: number | null = null
  /** Who waits for something else would wait in vain. */
  const refuseBlocked = async (): Promise<void> => {
    const mailbox = await find()
    if (mailbox?.needsYou === 'push_needs_person')
      throw new TrialFailure('Alfred waits for a person before it pushes: the commits touch files of CI.')
    if (mailbox?.status !== 'blocked') return
    blockedSince ??= performance.now()
    const said = (await place.comments(issue)).findLast(({ body }) => parseMarker(body)?.kind === 'blocked')
    // Its comment comes a little later than the status.
    if (said === undefined && performance.now() - blockedSince < commentPatienceMs) return
    const words = said?.body.replace(/\n*<!-- agent:.*$/s, '').replace(/\s+/g, ' ')
    throw new TrialFailure(`Alfred is blocked: ${words ?? 'it did not say why'}`)
  }
  const until = <T>(what: string, look: () => Promise<T | null>, patienceMs?: number): Promise<T> =>
    engine.until(
      what,
      async () => {
        const found = await look()
        if (found === null) await refuseBlocked()
        return found
      },
      { signal, ...(patienceMs !== undefined && { patienceMs }) },
    )
  return {
    mailbox: (what: string, holds: (mailbox: MailboxDetail) => boolean): Promise<MailboxDetail> =>
      until(what, async () => {
        const mailbox = await find()
        return mailbox !== null && holds(mailbox) ? mailbox : null
      }),
    /** The id of Alfred's comment of this kind, once it is there. */
    comment: (kind: string, patienceMs?: number): Promise<number> =>
      until(
        `the comment "${kind}"`,
        async () =>
          (await place.comments(issue)).findLast(({ body }) => parseMarker(body)?.kind === kind)?.id ?? null,
        patienceMs,
      ),
    /** The one status label (with this status); more than one is no status. */
    status: (wanted?: string): Promise<string> =>
      until(`status::${wanted ?? '…'}`, async () => {
        const names = (await place.issue(issue)).labels.map(({ name }) => name)
        const found = names.filter((name) => name.startsWith('status::'))
        const [only] = found
        const isIt = wanted === undefined || only === `status::${wanted}`
        return found.length === 1 && only !== undefined && isIt ? only : null
      }),
  }
}

async function makeLabels(
  { forgeId, path }: Trial,
  { engine }: Stage,
): Promise<readonly [undefined, string]> {
  const { made, labels } = expectOk(await engine.client.call('forges', 'makeLabels', { forgeId, path }))
  if (labels.missing.length > 0)
    throw new TrialFailure(`These are still missing: ${labels.missing.join(', ')}.`)
  return [undefined, made.length === 0 ? 'all there' : `${made.length} made`]
}

async function validate(
  { place, person }: Trial,
  life: Life,
  issue: number,
): Promise<readonly [undefined, string]> {
  if (person === null)
    return [undefined, 'not asked for: without --person-token-env nobody else could set the label']
  await life.status('waiting_validation')
  const label = (await place.labels()).find(({ name }) => name === 'ai::validate_plan')
  if (label === undefined) throw new TrialFailure('There is no label ai::validate_plan.')
  await person.setLabel(issue, label.id)
  await life.comment('plan_validated')
  return [undefined, 'ai::validate_plan set by the other person, taken off by Alfred']
}

/** The sha of its head. */
async function checkChange(
  { place }: Trial,
  { iid, branch }: { readonly iid: number; readonly branch: string },
  base: string,
  issue: number,
): Promise<readonly [string, string]> {
  const pull = (await place.pulls()).find(({ number }) => number === iid)
  const sha = (await place.branches()).find(({ name }) => name === branch)?.commit?.id
  if (pull === undefined || sha === undefined) throw new TrialFailure('The forge does not show it.')
  if (pull.head.sha !== sha)
    throw new TrialFailure(`Its head is ${pull.head.sha}, that of the branch ${sha}.`)
  if (pull.base.ref !== base) throw new TrialFailure(`It is for ${pull.base.ref} instead of ${base}.`)
  if (!pull.body.endsWith(`Closes #${issue}`)) throw new TrialFailure(`It does not close #${issue}.`)
  return [sha, `#${iid} for ${base} at ${sha.slice(0, 10)}, closes #${issue}`]
}

async function playChecks({ place }: Trial, life: Life, head: string): Promise<readonly [undefined, string]> {
  await place.setStatus(head, 'pending')
  await life.status('in_ci')
  await place.setStatus(head, 'success')
  const { needsYou } = await life.mailbox(
    'the review',
    (mailbox) => mailbox.status === 'in_review' || mailbox.needsYou !== null,
  )
  if (needsYou !== null) return [undefined, "in_ci, and not green: the repository's own checks are red"]
  return [undefined, `pending: status::in_ci, green: ${await life.status('in_review')}`]
}

/** Right after a push a forge still looks whether it can be merged, and says 405. */
async function merge(
  { place }: Trial,
  { signal }: Stage,
  change: number,
  base: string,
): Promise<readonly [undefined, string]> {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted()
    const merged = await place.merge(change)
    if (merged.ok) return [undefined, `#${change} into ${base}, as one commit`]
    if (merged.error.status !== 405 || tries === mergeTries) throw new TrialFailure(merged.error.message)
    await sleep(1_000)
  }
}
