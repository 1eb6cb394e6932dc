import type { SeenRequest } from '../../fakes/forge-server/forge-server'
import { readRecordedScene, recordedScenes, recordedServers } from '../../fixtures/forge-recordings'
import { isLeft } from './replay-scene'
import { heldScenes, plans } from './scene-plans'

/*
 * Which requests the fake forge is held to: those of the scenes that are played against it. What an adapter sends beside
 * them would be answered by nothing that was recorded.
 */

/** Recorded without these words of the query, or not in a scene that is played: all lists of the fake page alike. */
const pagedLikeOthers = new Set([
  'GET /orgs/ORG/labels ?page',
  'GET /orgs/ORG/labels ?limit',
  'GET /repos/REPO/pulls ?page',
  'GET /repos/REPO/pulls/N/reviews ?page',
  'GET /repos/REPO/pulls/N/reviews ?limit',
  'GET /users/alfred-bot/tokens ?page',
  'GET /users/alfred-bot/tokens ?limit',
])

/** Requests that no played scene has, as `METHOD path` and, where only a word of the query is new, that word. */
export function unheldRequests(requests: readonly SeenRequest[]): readonly string[] {
  const held = heldRequests()
  const unheld = requests.flatMap(({ method, address }) => {
    const { shape, queries } = shapeOf(method, address)
    const known = held.get(shape)
    if (known === undefined) return [shape]
    return queries.filter((name) => !known.has(name)).map((name) => `${shape} ?${name}`)
  })
  return [...new Set(unheld)].filter((each) => !pagedLikeOthers.has(each)).toSorted()
}

/** Of all three servers: not every scene was recorded of each. */
function heldRequests(): ReadonlyMap<string, ReadonlySet<string>> {
  const held = new Map<string, Set<string>>()
  const exchanges = recordedServers.flatMap((kind) =>
    recordedScenes(kind).flatMap((scene) => {
      const number = scene.slice(0, 2)
      if (!heldScenes.includes(number)) return []
      return readRecordedScene(kind, scene).exchanges.filter((each) => !isLeft(each, plans[number] ?? {}))
    }),
  )
  for (const { request } of exchanges) {
    if (request === undefined) continue
    const { shape, queries } = shapeOf(request.method, request.path)
    held.set(shape, new Set([...(held.get(shape) ?? []), ...queries]))
  }
  return held
}

/** What differs from one repository to the next becomes a word. */
function shapeOf(method: string, address: string): { readonly shape: string; readonly queries: string[] } {
  const { pathname, searchParams } = new URL(address, 'http://forge')
  const path = pathname
    .replace(/^\/api\/v1/, '')
    .replace(/^\/repos\/(?!issues\/|search$)[^/]+\/[^/]+/, '/repos/REPO')
    .replace(/^\/orgs\/[^/]+/, '/orgs/ORG')
    .replace(/\/branches\/.+$/, '/branches/BRANCH')
    .replace(/\/commits\/.+\/(status|statuses)$/, '/commits/REF/$1')
    .replace(/\/statuses\/[^/]+$/, '/statuses/SHA')
    .replace(/\/\d+(?=\/|$)/g, '/N')
    .replace(/\/pulls\/(?!N(?:\/|$|\.)).+$/, '/pulls/BASE/HEAD')
  const isGit = /\/(info\/refs|git-(upload|receive)-pack)$/.test(path)
  return { shape: isGit ? 'git' : `${method} ${path}`, queries: isGit ? [] : [...searchParams.keys()] }
}
