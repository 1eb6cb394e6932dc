import type { RunId } from '@shared/model/ids'
import type { HeldContainer, TerminalHub } from '../terminals/terminal-hub'
import { untilAnswered, type Patience } from './engine-patience'

interface Parts {
  readonly terminals: Pick<TerminalHub, 'hold'>
  readonly patience: Patience
  readonly warn: (text: string) => void
}

/** Takes hold of a terminal that went on while Alfred was gone. One that cannot be held is told: it goes on unseen. */
export async function holdAgain(
  { terminals, patience, warn }: Parts,
  runId: RunId,
  container: Pick<HeldContainer, 'runtime' | 'id'>,
): Promise<void> {
  const held = await untilAnswered(() => terminals.hold(runId, { ...container, isRunning: true }), patience)
  if (held !== null && !held.ok)
    warn(
      `The terminal cannot be shown any more: ${held.error.message} Its agent goes on unseen; to end it and keep its work: alfred stop ${runId}`,
    )
}
