import { err, ok } from '@shared/result'
import { createCapabilities } from '@main/adapters/forge/forgejo/capabilities'
import type { ForgejoContext } from '@main/adapters/forge/forgejo/forgejo-context'
import { failureOfStatus } from '@main/adapters/forge/forgejo/status-errors'
import type { CallOptions, ForgejoTransport } from '@main/adapters/forge/forgejo/transport'
import type { Project } from '@shared/model/records'
import { createSettableClock } from './settable-clock'

/*
 * The adapter for Gitea and Forgejo without a network: each request is answered by a function, and noted.
 */

export interface ScriptedRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface ScriptedAnswer {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Epoch milliseconds of the server; default: it sends no `Date`. */
  readonly at?: number
}

export interface ScriptedForgejo {
  readonly context: ForgejoContext
  readonly requests: ScriptedRequest[]
  /** Time passes only while the adapter waits, or a test moves it. */
  readonly waited: () => number
  readonly advance: (ms: number) => void
}

export function scriptForgejo(answer: (request: ScriptedRequest) => ScriptedAnswer): ScriptedForgejo {
  const requests: ScriptedRequest[] = []
  const clock = createSettableClock()
  const call =
    (method: string) =>
    async (path: string, body: unknown, options: CallOptions = {}): ReturnType<ForgejoTransport['get']> => {
      const query = Object.fromEntries(
        Object.entries(options.query ?? {}).flatMap(([name, value]) =>
          value === null || value === undefined ? [] : [[name, String(value)]],
        ),
      )
      const request = { method, path, query, body }
      requests.push(request)
      const { status = 200, body: answered, headers = {}, at } = answer(request)
      const header = (name: string): string | null => headers[name.toLowerCase()] ?? null
      if (status >= 300) {
        return err(
          failureOfStatus({
            what: `${method} ${path}`,
            status,
            serverMessage: null,
            retryAfterMs: null,
            location: header('location'),
            isWrite: method !== 'GET',
          }),
        )
      }
      const serverTime = at === undefined ? null : Math.floor(at / 1_000) * 1_000
      return ok({ status, body: answered, text: '', header, serverTime, clockDifferenceMs: null })
    }
  const get = call('GET')
  const remove = call('DELETE')
  const transport: ForgejoTransport = {
    baseUrl: 'https://forge.example/git',
    get: (path, options) => get(path, undefined, options),
    getText: (path, options) => get(path, undefined, options),
    post: call('POST'),
    patch: call('PATCH'),
    put: call('PUT'),
    delete: (path, options) => remove(path, undefined, options),
  }
  return {
    requests,
    waited: () => clock.now(),
    advance: clock.advance,
    context: {
      transport,
      can: createCapabilities(transport),
      clock: { ...clock, sleep: async (ms) => clock.advance(ms) },
      account: { id: '2', login: 'alfred-bot' },
      placeOf: ({ slug }) => ({ path: `acme/${slug}`, remoteId: '1' }),
      moved: () => undefined,
    },
  }
}

/** Only what the adapter looks at. */
export const scriptedProject = { slug: 'shop', defaultBranch: 'main' } as Project
