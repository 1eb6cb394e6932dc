import type { Run, RunStart } from '@shared/model/records'
import { freshTurnPrompt } from '../chats/turn-prompt'
import type { RunContext } from './run-context'
import type { RunParts } from './run-parts'

/** Beside `prompt`, which the start that was to resume was given. */
export const freshPromptFile = 'prompt.fresh'

/** Whether a start tells more than the start before it, since its agent does not remember. */
export const isFreshTurn = (run: Pick<Run, 'phase'>, start: Pick<RunStart, 'kind'>): boolean =>
  run.phase === 'chat' && start.kind === 'fallback'

/** Made once, so that a restart changes nothing of what a start is told. */
export async function writeFreshPrompt(parts: RunParts, context: RunContext): Promise<void> {
  const { uid } = context.run
  if ((await parts.files.readInput(uid, freshPromptFile)) !== null) return
  await parts.files.writeInput(uid, { [freshPromptFile]: await freshTurnPrompt(parts, context) })
}
