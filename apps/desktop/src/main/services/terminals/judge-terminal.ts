import { formatBytes } from '@shared/format'
import type { Outcome } from '@shared/model/words'
import type { RunFailure } from '@shared/contract/runs'
import type { ExitFacts, ExitVerdict } from '../runs/judge-exit'

type TerminalExit = Pick<
  ExitFacts,
  'exitCode' | 'outOfMemory' | 'isStopping' | 'harvest' | 'memoryLimitBytes'
>

/**
 * What the end of a terminal means. Nobody waits for a result of it, and what the CLI said only the person saw: it was
 * left, or it was ended.
 */
export function judgeTerminal({
  exitCode,
  outOfMemory,
  isStopping,
  harvest,
  memoryLimitBytes,
}: TerminalExit): ExitVerdict {
  const exited = (outcome: Outcome, failure: RunFailure | null): ExitVerdict => ({
    command: {
      type: 'exited',
      exit: { outcome, failure, fallback: null, isCollected: harvest.isCollected },
    },
    sessionPatch: {},
  })
  if (isStopping) return exited('stopped', null)
  if (outOfMemory) {
    const message = `The container ran out of memory (limit ${formatBytes(memoryLimitBytes)}).`
    return exited('out_of_memory', { type: 'out_of_memory', message, exitCode })
  }
  if (harvest.entryFailure !== null)
    return exited('failed', { type: 'workspace_failed', message: harvest.entryFailure })
  if (!harvest.isCollected || harvest.wasTerminated) {
    const message = 'The terminal was ended from outside.'
    return exited('interrupted', { type: 'interrupted', message, exitCode })
  }
  if (exitCode !== 0 && exitCode !== leftWithKeys) {
    const message = `The agent ended with code ${exitCode ?? 'unknown'}.`
    return exited('failed', { type: 'agent_failed', message, exitCode })
  }
  return harvest.refusal === null ? exited('succeeded', null) : exited('result_refused', harvest.refusal)
}

/** Ctrl+C, which is one of the ways to leave. */
const leftWithKeys = 130
