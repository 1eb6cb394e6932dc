import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ok, type Result } from '@shared/result'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import type { SecretBackend } from '@main/adapters/secrets/secret-backend'
import { describeError } from '@main/cli/failures'
import type { EngineClient } from '@main/cli/engine-client'
import { clientOf, startTestEngine } from '../integration/support/engine-bench'
import { TrialFailure } from './report'

/*
 * An engine of its own on a data folder that nobody else uses, which is gone afterwards. Its agent is the demo agent; its
 * tokens are in memory only.
 */

export interface TrialEngine {
  readonly client: EngineClient
  /** Asks again until there is an answer; throws when the signal aborts, or when it takes too long. */
  until<T>(
    what: string,
    look: () => Promise<T | null>,
    limits: { readonly signal: AbortSignal; readonly patienceMs?: number },
  ): Promise<T>
  /** With its containers and its data. */
  remove(): Promise<void>
}

const patienceMs = 5 * 60_000
const askEveryMs = 500

/** `pace`: milliseconds that the agent takes for a step. */
export async function openTrialEngine(pollIntervalMs: number, pace = 0): Promise<TrialEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'alfred-trial-'))
  const agent = createDemoAdapter({ environment: { DEMO_PACE: String(pace) } })
  const engine = await startTestEngine(folder, [agent], [], { keyring: createMemoryKeyring() })
  const client = clientOf(engine)
  for (const [key, value] of [
    ['AGENT_ADAPTER', 'demo'],
    ['POLL_INTERVAL', pollIntervalMs],
  ] as const) {
    expectOk(await client.call('settings', 'set', { scope: 'app', scopeId: 0, key, value }))
  }
  return {
    client,
    async until(what, look, limits) {
      const begun = performance.now()
      for (;;) {
        limits.signal.throwIfAborted()
        const found = await look()
        if (found !== null) return found
        const longest = limits.patienceMs ?? patienceMs
        if (performance.now() - begun > longest)
          throw new TrialFailure(`${what} did not happen within ${Math.round(longest / 60_000)} min`)
        await sleep(askEveryMs, undefined, { signal: limits.signal }).catch(() => undefined)
      }
    },
    async remove() {
      try {
        await engine.stop('stop')
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 3 })
      }
    },
  }
}

/** The answer, or its words. */
export function expectOk<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new TrialFailure(describeError(result.error))
  return result.value
}

function createMemoryKeyring(): SecretBackend {
  const secrets = new Map<string, string>()
  return {
    read: (name) => Promise.resolve(ok(secrets.get(name) ?? null)),
    write: (name, value) => Promise.resolve(ok(void secrets.set(name, value))),
    remove: (name) => Promise.resolve(ok(void secrets.delete(name))),
  }
}
