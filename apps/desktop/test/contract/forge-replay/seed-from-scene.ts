import type { ForgeServer } from '../../fakes/forge-server/forge-server'
import type { RecordedExchange, RecordedScene } from '../../fixtures/forge-recordings'
import { madeBy, thingsOf, type SeenThing } from './recorded-things'
import { seedComment, seedIssue, seedPull } from './seed-issues'
import { issueAt, repositoryFor, repositoryOf, seedLabel, seedPeople, world } from './seed-places'

/*
 * A fake forge in the state in which a scene began: the cast of all scenes, and what the scene's own answers show.
 * What was made in the middle of a scene without being recorded appears here at its time, too.
 */

export interface SceneSeed {
  /** Adds what existed at this time (epoch milliseconds) or is needed by the exchange. */
  appear(now: number, exchange: RecordedExchange): Promise<void>
}

/** Does something while the forge's clock stands at a time of the past. */
export type AtTime = (time: number, act: () => Promise<void>) => Promise<void>

export async function seedFromScene(
  forge: ForgeServer,
  scene: RecordedScene,
  {
    hasWorld = false,
    isAllOld = false,
    at,
  }: { readonly hasWorld?: boolean; readonly isAllOld?: boolean; readonly at: AtTime },
): Promise<SceneSeed> {
  const things = [...thingsOf(scene).values()]
  const made = madeBy(scene)
  seedPeople(forge, things, scene)
  let left = things.filter(({ kind, key }) => kind !== 'user' && !made.has(key))
  if (hasWorld) for (const path of world) await repositoryFor(forge, path, things)
  return {
    appear: async (now, exchange) => {
      const due = left.filter((thing) => isAllOld || isDue(thing, now, exchange) || isOldLabel(thing, made))
      left = left.filter((thing) => !due.includes(thing))
      const ordered = (['repository', 'label', 'issue', 'pull', 'comment'] as const).flatMap((kind) =>
        due.filter((thing) => thing.kind === kind),
      )
      for (const thing of ordered) {
        await at(thing.createdAt ?? now, () => seedThing(forge, thing, things))
      }
      await standNamed(forge, exchange, things)
    },
  }
}

/** Places that no answer shows, and that the exchange finds all the same. */
async function standNamed(
  forge: ForgeServer,
  { request, response }: RecordedExchange,
  things: readonly SeenThing[],
): Promise<void> {
  const [, path = '', number] =
    /^\/api\/v1\/repos\/([^/]+\/[^/?]+)(?:\/issues\/(\d+)(?:\/|$|\?))?/.exec(request?.path ?? '') ?? []
  if (response === undefined || response.status >= 300) return
  if (world.some((each) => each === path)) await repositoryFor(forge, path, things)
  if (number === undefined || issueAt(forge, `${path}/${number}`) !== undefined) return
  const repository = repositoryOf(forge, path)
  if (repository === undefined) return
  const next = repository.nextNumber
  repository.nextNumber = Number(number)
  forge.seed.issue(path, { title: 'Not recorded', by: 'dev' })
  repository.nextNumber = Math.max(next, Number(number) + 1)
}

/** Within one second nobody knows what came first; what the request itself names was there. */
function isDue(thing: SeenThing, now: number, { n, request }: RecordedExchange): boolean {
  if (thing.n <= n) return true
  if (thing.createdAt !== null && thing.createdAt < now) return true
  if (thing.kind !== 'issue' && thing.kind !== 'pull') return false
  const [owner, name, number] = thing.key.replace('issue:', '').split('/')
  const named = new RegExp(`/repos/${String(owner)}/${String(name)}/(issues|pulls)/${String(number)}(\\W|$)`)
  return thing.createdAt === now && named.test(request?.path ?? '')
}

/** Labels have no time: one with a smaller id than those that the scene makes was there before. */
function isOldLabel({ kind, key }: SeenThing, made: ReadonlySet<string>): boolean {
  if (kind !== 'label') return false
  const ids = [...made].filter((each) => each.startsWith('label:')).map((each) => Number(each.slice(6)))
  return Number(key.slice(6)) < Math.min(...ids)
}

async function seedThing(forge: ForgeServer, thing: SeenThing, things: readonly SeenThing[]): Promise<void> {
  switch (thing.kind) {
    case 'repository':
      await repositoryFor(forge, String(thing.view['full_name']), things)
      return
    case 'label':
      return seedLabel(forge, thing.view, things)
    case 'issue':
      return seedIssue(forge, thing, things)
    case 'comment':
      return seedComment(forge, thing)
    case 'pull':
      return seedPull(forge, thing, things)
    case 'user':
      return
  }
}
