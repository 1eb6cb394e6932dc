import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Project } from '@shared/model/records'
import { ok } from '@shared/result'
import { createForgejoForge } from '@main/adapters/forge/forgejo/forgejo-forge'
import type { Forge } from '@main/ports/forge'
import { type ForgeServer, type ForgeServerOptions, startForgeServer } from './forge-server/forge-server'
import { createSettableClock, type SettableClock } from './settable-clock'

/*
 * The adapter for Gitea and Forgejo against the fake server, with Alfred and a person who may write. Waiting is what
 * moves the time of both.
 */

const run = promisify(execFile)

/** As the forge spells it; the slug of the project is another. */
export const benchRepository = 'acme/Shop.js'

export interface ForgejoBench {
  readonly server: ForgeServer
  readonly forge: Forge
  readonly project: Project
  readonly clock: SettableClock
  readonly token: string
  /** One request of the person to the API of the repository; throws on an error. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<unknown>
  /** The id of the label with this name, which is made where there is none. */
  readonly labelId: (name: string) => number
  /** A sha that git itself finds at the remote; null: no such branch. */
  readonly remoteSha: (url: string, branch: string) => Promise<string | null>
  /** `owner/name` of where the adapter finds the project. */
  path: string
  /** The adapter has waited for the answers that are under way for as long as it does. */
  readonly outlast: () => void
  /** What happens while the adapter waits. */
  onWait: () => void | Promise<void>
}

export async function openForgejoBench(
  options: Omit<ForgeServerOptions, 'clock'> & {
    readonly token?: string | null
    readonly botMay?: 'read' | 'write'
    /** The forge's clock minus ours. */
    readonly clockOffMs?: number
  },
): Promise<ForgejoBench> {
  const clock = createSettableClock(Date.UTC(2026, 10, 29, 16))
  const server = await startForgeServer({
    subPath: '/git',
    ...options,
    clock: () => clock.now() + (options.clockOffMs ?? 0),
  })
  server.seed.user('alfred-bot')
  server.seed.user('dev')
  server.seed.organization('acme', { 'alfred-bot': options.botMay ?? 'write', dev: 'write' })
  const repository = await server.seed.repository(benchRepository)
  const token = server.seed.token('alfred-bot')
  const personToken = server.seed.token('dev')
  const limits = new Set<() => void>()
  const given = options.token === undefined ? token : options.token
  const bench: ForgejoBench = {
    server,
    clock,
    token,
    project: { slug: 'shop-js', defaultBranch: 'main' } as Project,
    forge: createForgejoForge({
      baseUrl: server.url,
      caFile: null,
      isActive: () => true,
      // Its limit passes when a test says so: no answer comes too late because the computer is slow.
      startTimer: (then) => {
        limits.add(then)
        return () => limits.delete(then)
      },
      access: async () => ok({ token: given, caPem: null }),
      clock: {
        ...clock,
        sleep: async (ms) => {
          clock.advance(ms)
          await bench.onWait()
        },
      },
      account: { id: String(server.seed.person('alfred-bot').id), login: 'alfred-bot' },
      placeOf: () => ({ path: bench.path, remoteId: String(repository.id) }),
      moved: (_project, path) => {
        bench.path = path
      },
    }),
    ask: async (method, path, body) => {
      const answer = await fetch(`${server.url}/api/v1/repos/${benchRepository}${path}`, {
        method,
        headers: { authorization: `token ${personToken}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return text === '' ? null : (JSON.parse(text) as unknown)
    },
    labelId: (name) => {
      const { labels } = server.seed.find(benchRepository)
      return (labels.find((label) => label.name === name) ?? server.seed.label(benchRepository, name)).id
    },
    remoteSha: async (url, branch) => {
      const address = url.replace('://', `://alfred-bot:${token}@`)
      const { stdout } = await run('git', ['ls-remote', address, `refs/heads/${branch}`])
      return stdout.split('\t')[0] || null
    },
    outlast: () => {
      for (const then of limits) then()
    },
    path: benchRepository,
    onWait: () => undefined,
  }
  return bench
}
