import { randomBytes } from 'node:crypto'
import { readCertificates } from '@main/adapters/forge/forgejo/connect/certificates'
import { toServerTime } from '@main/adapters/forge/forgejo/read-answer'
import { clockWords, forgeKindNames, missingWords } from '@shared/forge-words'
import type { ForgeId } from '@shared/model/ids'
import type { Given } from './given'
import { playLife } from './play-life'
import { type Report, TrialFailure } from './report'
import { tidyUp } from './tidy-up'
import { expectOk, openTrialEngine, type TrialEngine } from './trial-engine'
import { createPlace, type Place } from './trial-place'

/*
 * Plays the life of an issue on a real forge, from the connection to the merge, and tidies up, however far it came.
 * Nothing reaches the default branch: the change is for a branch that is made for it.
 */

const pollIntervalMs = 2_000

/** A trial, and the names under which everything of it is found again. */
export interface Trial {
  /** Is in the title of its issue, and so of its change. */
  readonly id: string
  /** What the names of all of its branches begin with. */
  readonly prefix: string
  /** The forge's time before it began, as RFC 3339. */
  readonly since: string
  /** Ids of the labels that were there before. */
  readonly labelsBefore: ReadonlySet<number>
  readonly forgeId: ForgeId
  /** As Alfred calls the repository: by the slugs of owner and name. */
  readonly projectPath: string
  /** `owner/name`, as the forge spells it. */
  readonly path: string
  readonly defaultBranch: string
  /** Of Alfred's account. */
  readonly login: string
  readonly place: Place
  /** The same repository as somebody else, who may validate; null: nobody is asked. */
  readonly person: Place | null
}

/** Whether all went well, the tidying included. */
export async function runTrial(given: Given, report: Report, signal: AbortSignal): Promise<boolean> {
  const engine = await openTrialEngine(pollIntervalMs)
  let trial: Trial | null = null
  let isPlayed = false
  try {
    trial = await lookAround(given, engine, report)
    signal.throwIfAborted()
    await playLife(trial, { engine, report, signal })
    isPlayed = true
  } catch (thrown) {
    // A step that failed has its row already.
    if (report.rows.every(({ state }) => state === 'ok'))
      report.add({ step: 'end', state: 'FAILED', result: String(thrown) })
  }
  // First the engine: it must not write any more.
  await engine.remove()
  const isTidy = trial === null || (await tidyUp(trial, report))
  return isPlayed && isTidy
}

/** Until here nothing is written to the forge. */
async function lookAround(given: Given, engine: TrialEngine, report: Report): Promise<Trial> {
  const { client } = engine
  const { url, caFile, token, personToken } = given
  const access = { url, caFile, token }
  await report.step('Docker', async () => {
    const { lines } = expectOk(await client.call('app', 'doctor', {}))
    const docker = lines.find(({ check }) => check === 'docker')
    if (docker?.state === 'passed') return [undefined, docker.detail]
    throw new TrialFailure(`${docker?.detail ?? 'It is not known.'} ${docker?.fix?.text ?? ''}`.trim())
  })
  const server = await report.step('server', async () => {
    const found = expectOk(await client.call('forges', 'identify', access))
    const clock = clockWords(found.clockDifferenceMs)
    const words = `${forgeKindNames[found.kind]} ${found.version} at ${found.name}`
    return [found, clock === null ? words : `${words}, its clock is ${clock}`]
  })
  const login = await report.step('token', async () => {
    const { account, grants } = expectOk(await client.call('forges', 'checkToken', access))
    if (account === null || missingWords(grants) !== '')
      throw new TrialFailure(`The token lacks ${missingWords(grants)}.`)
    return [account.login, `works for all that Alfred does, as ${account.login}`]
  })
  const caPem = caFile === null ? null : expectOk(await readCertificates(caFile))
  const placeAs = (secret: string): Place =>
    createPlace({ baseUrl: server.baseUrl, caPem, repository: given.repository, token: secret })
  const place = placeAs(token)
  const person = personToken === null ? null : placeAs(personToken)
  const id = randomBytes(3).toString('hex')
  const prefix = `alfred-trial/${id}/`
  await set(engine, 'BRANCH_PREFIX', prefix)
  await set(engine, 'REQUIRE_PLAN_VALIDATION', person !== null)
  return report.step('repository', async () => {
    await refuseOthersWork(place, given.repository, login)
    const { forgeId } = expectOk(
      await client.call('forges', 'add', { ...access, projects: [given.repository], mayKeepInFile: false }),
    )
    const { full_name: path, default_branch: defaultBranch, empty } = await place.repository()
    if (empty) throw new TrialFailure(`Nothing was pushed to ${path} yet.`)
    const known = expectOk(await client.call('mailboxes', 'projects', {}))
    const projectPath = known.map(({ organization, slug }) => `${organization}/${slug}`)[0] ?? path
    const labelsBefore = new Set((await place.labels()).map((label) => label.id))
    const serverNow = Date.now() + (server.clockDifferenceMs ?? 0)
    const since = toServerTime(Math.floor(serverNow / 1_000) - 60)
    return [
      {
        id,
        prefix,
        since,
        labelsBefore,
        forgeId,
        projectPath,
        path,
        defaultBranch,
        login,
        place,
        person,
      },
      `${path}, which ${login} may write`,
    ]
  })
}

const set = async (
  { client }: TrialEngine,
  key: 'BRANCH_PREFIX' | 'REQUIRE_PLAN_VALIDATION',
  value: unknown,
): Promise<void> =>
  void expectOk(await client.call('settings', 'set', { scope: 'app', scopeId: 0, key, value }))

/** The engine takes up whatever is assigned to its account, and the demo agent must not work on that. */
async function refuseOthersWork(place: Place, repository: string, login: string): Promise<void> {
  const assigned = await place.assignedTo(login)
  if (assigned.length === 0) return
  throw new TrialFailure(
    `${repository} has open issues that are assigned to ${login} (${assigned.map((number) => `#${number}`).join(', ')}), and the demo agent would work on them. Try it in another repository, or take ${login} off them.`,
  )
}
