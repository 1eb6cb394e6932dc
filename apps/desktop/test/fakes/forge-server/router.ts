import type { Answer } from './answer'
import type { Category } from './sign-in'
import type { RouteContext } from './route-context'

/*
 * Addresses of the API below `/api/v1/`. `:name` is one part of a path, `*name` all that follows.
 */

export type Handler = (context: RouteContext) => Answer | Promise<Answer>

export interface Route {
  readonly method: string
  readonly pattern: string
  /** Which scope of a token it needs. */
  readonly category: Category
  readonly handle: Handler
}

export interface RouteMatch {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

export type Found = RouteMatch | { readonly allow: readonly string[] } | null

/** The route; the methods that the address has instead; or nothing at all. Earlier routes win. */
export function findRoute(routes: readonly Route[], method: string, path: string): Found {
  const allow: string[] = []
  let pattern: string | null = null
  for (const route of routes) {
    // A fixed address hides the general ones that it fits too, for every method.
    if (pattern !== null && route.pattern !== pattern) continue
    const params = match(route.pattern, path)
    if (params === null) continue
    if (route.method === method) return { route, params }
    pattern ??= route.pattern
    allow.push(route.method)
  }
  return allow.length === 0 ? null : { allow }
}

function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/')
  const parts = path.split('/')
  const params: Record<string, string> = {}
  for (const [index, want] of wanted.entries()) {
    const part = parts[index]
    if (part === undefined || part === '') return null
    if (want.startsWith('*')) {
      params[want.slice(1)] = decode(parts.slice(index).join('/'))
      return params
    }
    if (want.startsWith(':')) params[want.slice(1)] = decode(part)
    else if (want !== decode(part)) return null
  }
  return parts.length === wanted.length ? params : null
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
