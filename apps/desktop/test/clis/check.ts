import { expect } from 'vitest'
import type { SessionRequest } from '@main/ports/agent-adapter'
import { countTurns } from '../fakes/model-server/answers'
import type { ModelServer } from '../fakes/model-server/model-server'
import { sessionName, type CliSandbox, type CliStart } from './cli-sandbox'
import type { CliWays } from './clis-under-test'

/*
 * What a check is, and what several of them do.
 */

/** A session that was begun before the check, in a sandbox of its own. */
export interface PriorSession {
  readonly id: string
  readonly start: CliStart
  readonly sandbox: CliSandbox
}

export interface CheckContext {
  /** What this version is known to do. */
  readonly ways: CliWays
  readonly model: ModelServer
  /** What the CLI is signed in with. */
  readonly key: string
  prior(): Promise<PriorSession>
  /** A new one, removed after the check. */
  sandbox(): Promise<CliSandbox>
  /** SIGKILL, as from somebody else. */
  kill(containerId: string): Promise<void>
}

/** Something that must be true of every CLI and version that Alfred resumes, whatever the CLI itself does. */
export interface Check {
  readonly name: string
  /** In milliseconds: a check that takes longer has failed. */
  readonly capMs: number
  /** Also of the lowest version of the verified range. */
  readonly ofLowest: boolean
  /** Tells in a few words what the CLI did; they are the same in every run. */
  readonly run: (context: CheckContext) => Promise<string>
}

export const firstPrompt = 'Remember that the harbour lights go out at noon.'
export const laterPrompt = 'When do they go out?'

export const resuming = (nativeId: string): SessionRequest => ({
  mode: 'resume',
  name: sessionName,
  nativeId,
})

/** What the model was asked in the conversation: not what a CLI asks beside it, without tools. */
export const askedOf = (model: ModelServer) => model.turns().filter(({ turn }) => turn.tools.length > 0)

/** The session went on, and the model heard of what was said before. */
export function expectRemembered(start: CliStart, model: ModelServer): void {
  expect(howItEnded(start)).toBe('well')
  expect(start.proof).toBe('resumed')
  const asked = askedOf(model).at(-1)
  expect(asked?.turn.number).toBeGreaterThan(1)
  expect(JSON.stringify(asked?.body)).toContain(firstPrompt)
}

/** The fresh session of the product's fallback begins, whatever is left of the state. */
export async function expectFreshAfter(sandbox: CliSandbox, failed: CliStart): Promise<void> {
  await sandbox.makeRoom(failed)
  const chosenId = sandbox.adapter.choosesId ? crypto.randomUUID() : null
  const start = await sandbox.start(
    { mode: 'fresh', name: sessionName, chosenId },
    { prompt: laterPrompt, limitMs: 90_000 },
  )
  expect(howItEnded(start)).toBe('well')
  expect(start.proof).toBe('fresh')
}

/** In words that tell in the matrix what was wrong. */
function howItEnded({ hasSucceeded, wasStopped, ended }: CliStart): string {
  if (hasSucceeded) return 'well'
  const words = ended.result?.text ?? ended.stderrTail
  return `${wasStopped ? 'stopped' : 'ended'} with ${ended.exitCode ?? 'no code'}: ${words.slice(-300)}`
}

/** A new sandbox with a copy of the state of the session before. */
export async function withState(context: CheckContext): Promise<{ sandbox: CliSandbox; id: string }> {
  const { id, sandbox: before } = await context.prior()
  const sandbox = await context.sandbox()
  await sandbox.takeState(before)
  context.model.play(countTurns)
  return { sandbox, id }
}
