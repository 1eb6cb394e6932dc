import type { DoctorLine } from '@shared/contract/app'
import type { ConnectedForge, LabelReport } from '@shared/contract/forges'
import {
  clockWords,
  forgeKindNames,
  isComplete,
  isOptional,
  labelSentences,
  missingWords,
} from '@shared/forge-words'
import type { ForgesService } from '../forges/forges-service'
import type { Check, Finding } from './doctor-service'

/*
 * Five lines for each connected forge: whether it answers, whether the token can do all that it must, what its clock
 * says, whether the projects can still be worked on, and whether they have their labels. Where it does not answer, the
 * others are not asked.
 */

export interface ForgeCheck {
  readonly check: Check
  readonly find: () => Promise<Finding>
}

type Forges = Pick<ForgesService, 'list' | 'identify' | 'checkToken' | 'labels' | 'examineProjects'>

const toForges = (text: string): NonNullable<DoctorLine['fix']> => ({
  text,
  command: null,
  action: 'open_forges',
})

export async function forgeChecks(forges: Forges): Promise<readonly ForgeCheck[]> {
  return (await forges.list()).flatMap((forge) => checksOf(forges, forge))
}

function checksOf(forges: Forges, forge: ConnectedForge): readonly ForgeCheck[] {
  const { forgeId, name } = forge
  // Asked once, by the line that comes first.
  let identity: ReturnType<Forges['identify']> | null = null
  const identify = () => (identity ??= forges.identify({ forgeId }))
  let examined: ReturnType<Forges['examineProjects']> | null = null
  const examine = () => (examined ??= forges.examineProjects(forgeId))
  const onceItAnswers = (find: () => Promise<Finding>) => async (): Promise<Finding> =>
    (await identify()).ok ? find() : { state: 'skipped', detail: 'needs the forge' }
  const check = (what: string, title: string): Check => ({
    check: `forge-${name}-${what}`,
    group: 'forges',
    title,
  })
  return [
    {
      check: check('answers', name),
      find: async () => {
        const found = await identify()
        return found.ok
          ? { state: 'passed', detail: `${forgeKindNames[found.value.kind]} ${found.value.version} answers` }
          : { state: 'failed', detail: found.error.message, fix: fixOf(found.error.type) }
      },
    },
    {
      check: check('token', `Token of ${name}`),
      find: onceItAnswers(() => tokenFinding(forges, forge)),
    },
    {
      check: check('clock', `Clock of ${name}`),
      find: onceItAnswers(async () => {
        const found = await identify()
        return clockFinding(found.ok ? found.value.clockDifferenceMs : null)
      }),
    },
    {
      check: check('projects', `Projects on ${name}`),
      find: onceItAnswers(async () => projectsFinding(await examine())),
    },
    {
      check: check('labels', `Labels on ${name}`),
      find: onceItAnswers(async () => labelsFinding(forges, forge, await examine())),
    },
  ]
}

/** What a person mends in Alfred, and what only the forge can. */
function fixOf(type: string): NonNullable<DoctorLine['fix']> {
  return type === 'token_missing' || type === 'certificate' || type === 'certificate_file'
    ? toForges('Look at the token and the CA file of this forge.')
    : {
        text: 'Look whether the forge runs and can be reached from here.',
        command: null,
        action: 'check_again',
      }
}

async function tokenFinding(forges: Forges, { forgeId, accountLogin }: ConnectedForge): Promise<Finding> {
  const newToken = toForges('Give this forge a new token.')
  const checked = await forges.checkToken({ forgeId })
  if (!checked.ok) return { state: 'failed', detail: checked.error.message, fix: newToken }
  const { account, grants } = checked.value
  const missing = missingWords(grants)
  if (missing !== '') return { state: 'failed', detail: `lacks ${missing}`, fix: newToken }
  if (account !== null && account.login !== accountLogin)
    return { state: 'failed', detail: `is of ${account.login}, not of ${accountLogin}`, fix: newToken }
  const untold = grants
    .filter((grant) => grant.state === 'unknown' && !isOptional(grant))
    .map(({ scope }) => scope)
  return {
    state: 'passed',
    detail: [
      `works for all that Alfred must do, as ${accountLogin}`,
      ...grants
        .filter(({ state }) => state === 'missing')
        .map(({ need, scope }) =>
          need === 'private_projects'
            ? 'it is a public-only token: private projects are not seen'
            : `without ${scope} ${withoutWords}`,
        ),
      ...(untold.length === 0 ? [] : [`the forge does not tell about ${untold.join(', ')}`]),
    ].join('; '),
  }
}

const withoutWords = 'labels of organizations are not seen'

/** The forge's own time is what Alfred goes by, so a difference only shows in the times that people read. */
function clockFinding(differenceMs: number | null): Finding {
  if (differenceMs === null) return { state: 'skipped', detail: 'the forge does not say what time it is' }
  const words = clockWords(differenceMs)
  return Math.abs(differenceMs) > 60_000
    ? { state: 'optional', detail: `${words ?? ''}; Alfred goes by the forge's clock` }
    : { state: 'passed', detail: words ?? 'agrees with this computer' }
}

type Examined = Awaited<ReturnType<Forges['examineProjects']>>

function projectsFinding(examined: Examined): Finding {
  if (!examined.ok) {
    return needsToken(examined.error.type)
      ? { state: 'skipped', detail: 'needs the token' }
      : { state: 'failed', detail: examined.error.message, fix: toForges('Look at these projects.') }
  }
  if (examined.value.length === 0) return noneWatched
  const unfit = examined.value.filter(({ unfitBecause }) => unfitBecause !== null)
  if (unfit.length > 0) {
    return {
      state: 'failed',
      detail: unfit.map(({ path, unfitBecause }) => `${path} ${unfitBecause}`).join('; '),
      fix: toForges('Mend that on the forge, or stop watching the project.'),
    }
  }
  const [first, ...others] = examined.value
  return {
    state: 'passed',
    detail:
      others.length === 0
        ? `${first?.path} can be worked on`
        : `all ${examined.value.length} can be worked on`,
  }
}

const noneWatched: Finding = { state: 'skipped', detail: 'no project is watched' }

const needsToken = (type: string): boolean => type === 'token_refused' || type === 'token_missing'

/** Of a project that is gone the line above tells. */
async function labelsFinding(
  forges: Forges,
  { forgeId, projects }: ConnectedForge,
  examined: Examined,
): Promise<Finding> {
  const gone = new Set(
    examined.ok ? examined.value.filter(({ isThere }) => !isThere).map(({ path }) => path) : [],
  )
  const watched = projects.filter(({ isWatched, path }) => isWatched && !gone.has(path))
  if (watched.length === 0)
    return gone.size === 0 ? noneWatched : { state: 'skipped', detail: 'no watched project is there' }
  const wrong: string[] = []
  let isUnread = false
  for (const { path } of watched) {
    const labels = await forges.labels({ forgeId, path })
    if (!labels.ok && needsToken(labels.error.type)) return { state: 'skipped', detail: 'needs the token' }
    if (!labels.ok) {
      isUnread = true
      wrong.push(`${path}: ${labels.error.message}`)
    } else if (!isComplete(labels.value)) wrong.push(`${path}: ${wordsOf(labels.value)}`)
  }
  if (wrong.length === 0)
    return {
      state: 'passed',
      detail: watched.length === 1 ? 'all there' : `all there in ${watched.length} projects`,
    }
  return {
    state: 'failed',
    detail: wrong.join(' '),
    fix: toForges(
      isUnread ? 'Look at these projects.' : 'Make the missing labels, and mend the others on the forge.',
    ),
  }
}

const wordsOf = (report: LabelReport): string => labelSentences(report).join(' ')
