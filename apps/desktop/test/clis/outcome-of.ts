import { setTimeout as sleep } from 'node:timers/promises'
import type { Check, CheckContext } from './check'

export interface Outcome {
  readonly ok: boolean
  /** What the CLI did, or what was wrong. */
  readonly note: string
}

/** The test of a check is cut off then, without a row: no cap is that long. */
export const cutOffMs = 240_000

/** Ends within the cap of the check, and leaves nothing that still works. */
export async function outcomeOf(
  { capMs, run }: Pick<Check, 'capMs' | 'run'>,
  context: CheckContext,
  release: () => Promise<void>,
): Promise<Outcome> {
  const over = new AbortController()
  const cap = sleep(capMs, null, { signal: over.signal }).then(() => {
    throw new Error(`took longer than ${capMs / 1000} s`)
  })
  const running = run(context)
  try {
    return { ok: true, note: await Promise.race([running, cap]) }
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return { ok: false, note: line }
  } finally {
    over.abort()
    await release()
    await Promise.allSettled([running, cap])
  }
}
