import type { RecordedExchange, RecordedScene } from '../../fixtures/forge-recordings'

/*
 * The people, repositories, labels, issues and comments that a scene's answers speak of, each as it was seen first.
 */

export type Seen = Record<string, unknown>

export interface SeenThing {
  readonly kind: 'user' | 'repository' | 'label' | 'issue' | 'pull' | 'comment'
  readonly key: string
  readonly view: Seen
  /** Of the exchange in which it was seen first. */
  readonly n: number
  /** What the scene wrote into it until then, so that it was not so before. */
  readonly written: Seen
  /** Epoch milliseconds; null: its view does not say. */
  readonly createdAt: number | null
}

export function thingsOf(scene: RecordedScene): Map<string, SeenThing> {
  const things = new Map<string, SeenThing>()
  for (const exchange of scene.exchanges) {
    visit(exchange.response?.body, (view) => {
      const found = thingIn(view)
      if (found !== null && !things.has(found.key)) {
        const time = typeof view['created_at'] === 'string' ? Date.parse(view['created_at']) : null
        things.set(found.key, {
          ...found,
          view,
          n: exchange.n,
          written: { ...writtenTo(found.key, exchange), ...labelled(found.key, exchange.n, scene) },
          createdAt: time,
        })
      }
    })
  }
  return things
}

/** Labels that the scene itself set before it first showed the issue. */
function labelled(key: string, n: number, { exchanges }: RecordedScene): Seen {
  const [owner, name, number] = key.replace('issue:', '').split('/')
  const path = `/api/v1/repos/${String(owner)}/${String(name)}/issues/${String(number)}/labels`
  const isSet = exchanges.some(
    ({ n: at, request }) => at < n && request?.method !== 'GET' && request?.path.startsWith(path) === true,
  )
  return isSet ? { labels: true } : {}
}

function writtenTo(key: string, { request }: RecordedExchange): Seen {
  if (request?.method !== 'PATCH' || !isFields(request.body)) return {}
  const [kind, place = ''] = key.split(':')
  const parts = place.split('/')
  const ends = kind === 'comment' ? `/comments/${place}` : `/${String(parts.at(-1))}`
  return request.path.endsWith(ends) ? request.body : {}
}

/** Keys of what the scene itself makes by a POST. */
export function madeBy(scene: RecordedScene): Set<string> {
  return new Set(scene.exchanges.flatMap((exchange) => madeIn(exchange)?.key ?? []))
}

export function madeIn({ request, response }: RecordedExchange): { key: string; view: Seen } | null {
  const body = response?.body
  if (request?.method !== 'POST' || response?.status !== 201 || !isFields(body)) return null
  const found = thingIn(body)
  return found === null ? null : { key: found.key, view: body }
}

const isFields = (value: unknown): value is Seen =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function visit(value: unknown, meet: (view: Seen) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, meet)
  if (!isFields(value)) return
  meet(value)
  for (const item of Object.values(value)) visit(item, meet)
}

function thingIn(view: Seen): Pick<SeenThing, 'kind' | 'key'> | null {
  if ('followers_count' in view) return { kind: 'user', key: `user:${String(view['login'])}` }
  if ('clone_url' in view && 'permissions' in view) {
    return { kind: 'repository', key: `repository:${String(view['id'])}` }
  }
  if ('is_archived' in view) return { kind: 'label', key: `label:${String(view['id'])}` }
  if ('head' in view && 'base' in view) return { kind: 'pull', key: `issue:${placeOf(view['html_url'])}` }
  if ('repository' in view && 'number' in view)
    return { kind: 'issue', key: `issue:${placeOf(view['html_url'])}` }
  if ('issue_url' in view && !('type' in view))
    return { kind: 'comment', key: `comment:${String(view['id'])}` }
  if ('issue_url' in view && view['type'] === 'comment') {
    return { kind: 'comment', key: `comment:${String(view['id'])}` }
  }
  return null
}

/** `owner/name/number` of an issue's address. */
export function placeOf(address: unknown): string {
  const [, owner, name, number] =
    /\/([^/]+)\/([^/]+)\/(?:issues|pulls)\/(\d+)(?:#.*)?$/.exec(String(address)) ?? []
  return `${String(owner)}/${String(name)}/${String(number)}`
}
