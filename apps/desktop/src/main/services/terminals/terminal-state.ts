import { z } from 'zod'
import { shortId } from '@shared/format'
import type { LlmSession } from '@shared/model/records'
import { proveTerminal, type SessionSizes, type TerminalProof } from '../../core/session/prove-terminal'
import type { AgentAdapter } from '../../ports/agent-adapter'
import type { RunContext } from '../runs/run-context'
import type { RunParts } from '../runs/run-parts'
import type { StateAfter } from '../runs/session-after-run'

/*
 * What the state folder says of a terminal: the sizes of its sessions are noted before it opens, beside the run's other
 * input, so that they are there after a restart too.
 */

const sizesFile = 'sessions.json'
const sizesSchema = z.record(z.string(), z.number())

/** Stands in for an id where the place of any session is asked for. */
const anyId = '00000000-0000-4000-8000-000000000000'

/** null: this CLI keeps its sessions in one place. */
const listedFile = (adapter: Pick<AgentAdapter, 'sessionFile'>): string | null =>
  adapter.sessionFile(anyId)?.replaceAll(anyId, '{id}') ?? null

/** Whether it can be seen which session a terminal of this CLI was in. */
export const tellsSessionOfTerminal = (adapter: Pick<AgentAdapter, 'sessionFile'>): boolean =>
  listedFile(adapter) !== null

async function sizesNow({ states }: RunParts, { adapter, statePath }: RunContext): Promise<SessionSizes> {
  const file = listedFile(adapter)
  return file === null ? {} : states.list(statePath, file)
}

/** What is noted before the terminal opens. */
export async function filesOfTerminal(
  parts: RunParts,
  context: RunContext,
): Promise<Readonly<Record<string, string>>> {
  return { [sizesFile]: JSON.stringify(await sizesNow(parts, context)) }
}

/** Which session the terminal ended in, and whether it was the one asked for. */
export async function lookAtTerminalState(
  parts: RunParts,
  context: RunContext,
  session: LlmSession,
): Promise<StateAfter> {
  const { adapter, statePath, run } = context
  const noted = sizesSchema.safeParse(JSON.parse((await parts.files.readInput(run.uid, sizesFile)) ?? 'null'))
  const asked = session.mode === 'resume' ? session.requestedSessionId : null
  const proof: TerminalProof = noted.success
    ? proveTerminal({
        asked,
        chosen: session.chosenSessionId,
        pattern: adapter.sessionIdPattern,
        before: noted.data,
        after: await sizesNow(parts, context),
      })
    : { patch: {}, others: [] }
  const id = proof.patch.nativeSessionId ?? asked ?? session.chosenSessionId
  const look = id === null ? null : await parts.states.look(statePath, adapter.sessionFile(id))
  const words = wordsOf(proof, asked)
  return {
    patch: { ...proof.patch, stateBytesAfter: look?.bytes ?? null },
    used: { nativeSessionId: id },
    ...(words === null || session.nativeSessionId !== null ? {} : { words }),
  }
}

function wordsOf({ others }: TerminalProof, asked: string | null): string | null {
  const [other] = others
  if (other === undefined || asked === null) return null
  return others.length === 1
    ? `The terminal ended in another session than ${shortId(asked)}: the next run goes on with ${shortId(other)}.`
    : `${others.length} other sessions went on in the terminal: ${others.map(shortId).join(', ')}. The next run goes on with ${shortId(asked)}, unless you choose another one.`
}
