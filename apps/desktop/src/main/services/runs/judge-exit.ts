import type { RunFailure } from '@shared/contract/runs'
import { formatBytes } from '@shared/format'
import type { ProviderRetry, RunCommand, StartExit } from '../../core/run/run-machine'
import {
  failureInSight,
  fallbackAfter,
  type FallbackDecision,
  type SessionRowPatch,
} from '../../core/session/prove-resume'
import type { AgentAdapter, EndedStart } from '../../ports/agent-adapter'
import { errorLine, lastLine } from '../../core/run/last-words'
import type { Harvest } from './harvest'

/*
 * What the end of a start means. Pure: the container's end, the CLI's words and what was collected come in, a command
 * for the run's machine goes out.
 */

export interface ExitFacts {
  readonly exitCode: number | null
  readonly outOfMemory: boolean
  /** Alfred stopped the start since its resume was not the one asked for. */
  readonly isAbandoned: boolean
  /** Alfred stopped the run: its machine knows why. */
  readonly isStopping: boolean
  /** The engine of containers was away meanwhile. */
  readonly engineWasAway: boolean
  readonly asked: string | null
  /** A look at the asked session, once the start has ended; null where none was asked for. */
  readonly state: { readonly isReadOnly: boolean } | null
  readonly agent: EndedStart
  readonly harvest: Harvest
  readonly remainingMs: number
  /** How often it was cut off before for no reason that Alfred knows of. */
  readonly cutOffs: number
  /** Somebody followed the start while it ended. */
  readonly wasWatched: boolean
  readonly now: number
  /** When the container ended. */
  readonly endedAt: number
  readonly maxRetries: number
  readonly memoryLimitBytes: number
}

export interface ExitVerdict {
  readonly command: RunCommand
  /** What a failed resume changes in the session row. */
  readonly sessionPatch: SessionRowPatch
}

/**
 * A run that something outside cuts off this often does not go on by itself. An end that came while Alfred or the
 * engine of containers was away is no such thing: those may go as often as they like.
 */
export const maxCutOffs = 5
/** Before an interrupted run begins again. */
export const interruptionPauseMs = 2_000

type Classifiers = Pick<AgentAdapter, 'resumeFailure' | 'providerFailure' | 'tellsResult'>

export function judgeExit(facts: ExitFacts, adapter: Classifiers): ExitVerdict {
  const { harvest } = facts
  const exited = (
    exit: Omit<StartExit, 'isCollected' | 'fallback'> & { fallback?: StartExit['fallback'] },
  ): ExitVerdict => ({
    command: { type: 'exited', exit: { fallback: null, ...exit, isCollected: harvest.isCollected } },
    sessionPatch: {},
  })
  const failed = (failure: RunFailure): ExitVerdict => exited({ outcome: 'failed', failure })

  if (facts.isStopping) return exited({ outcome: 'stopped', failure: null })
  const { result } = facts.agent
  const toldFailure = result === null ? adapter.tellsResult : !result.succeeded
  const hasFailed = facts.exitCode !== 0 || toldFailure || facts.outOfMemory
  const decision = decideFallback(facts, hasFailed, adapter)
  if (decision.type !== 'outcome') {
    const verdict = exited({
      outcome: 'failed',
      failure: null,
      fallback: { reason: decision.reason, hasTime: decision.type === 'fallback' },
    })
    return { ...verdict, sessionPatch: decision.patch }
  }
  if (facts.outOfMemory) return exited({ outcome: 'out_of_memory', failure: outOfMemory(facts) })
  if (harvest.entryFailure !== null)
    return failed({ type: 'workspace_failed', message: harvest.entryFailure })
  if (wasCutOff(facts)) return { command: interrupted(facts), sessionPatch: {} }
  if (hasFailed) return afterFailure(facts, adapter, failed)
  if (harvest.refusal !== null) return exited({ outcome: 'result_refused', failure: harvest.refusal })
  return exited({ outcome: 'succeeded', failure: null })
}

function decideFallback(facts: ExitFacts, hasFailed: boolean, adapter: Classifiers): FallbackDecision {
  return fallbackAfter({
    asked: facts.asked,
    end: facts.isAbandoned ? 'proof_failed' : facts.outOfMemory ? 'out_of_memory' : 'by_itself',
    failure:
      hasFailed && facts.asked !== null
        ? failureInSight(adapter.resumeFailure(facts.agent), facts.state)
        : null,
    remainingMs: facts.remainingMs,
  })
}

/**
 * The entry always collects; if it did not, or somebody else ended it, the run was cut off from outside. What a CLI
 * answers to its TERM is its own affair: only one that has told its success was done by then.
 */
const wasCutOff = ({ harvest, exitCode, engineWasAway, agent }: ExitFacts): boolean => {
  const isDone = exitCode === 0 && agent.result?.succeeded === true
  if (!harvest.isCollected || exitCode === 143) return true
  return (harvest.wasTerminated && !isDone) || (engineWasAway && exitCode !== 0)
}

export const isExplained = (facts: Pick<ExitFacts, 'engineWasAway' | 'wasWatched'>): boolean =>
  facts.engineWasAway || !facts.wasWatched

function interrupted(facts: ExitFacts): RunCommand {
  return {
    type: 'interrupted',
    isCollected: facts.harvest.isCollected,
    canGoOn: (isExplained(facts) || facts.cutOffs + 1 < maxCutOffs) && facts.remainingMs > 0,
    nextAttemptAt: facts.now + interruptionPauseMs,
    workedUntil: facts.endedAt,
    failure: {
      type: 'interrupted',
      message: 'The container was ended from outside.',
      exitCode: facts.exitCode,
    },
  }
}

function afterFailure(
  facts: ExitFacts,
  adapter: Classifiers,
  failed: (failure: RunFailure) => ExitVerdict,
): ExitVerdict {
  const provider = adapter.providerFailure(facts.agent)
  if (provider !== null && provider.type !== 'other') {
    const freeAt = provider.type === 'account_limit' ? toldFreeAt(provider, facts.now) : null
    const failure: RunFailure = {
      type: failureTypes[provider.type],
      message: provider.message,
      exitCode: facts.exitCode,
      ...(freeAt !== null && { freeAt }),
    }
    return {
      command: {
        type: 'provider_failed',
        failure,
        retry: retryOf(provider, facts),
        workedUntil: facts.endedAt,
      },
      sessionPatch: {},
    }
  }
  const { result, stderrTail } = facts.agent
  if (facts.exitCode === 0 && result !== null) {
    return failed({
      type: 'agent_reported_failure',
      message: lastLine(result.text) ?? 'The agent says that it failed.',
      exitCode: 0,
    })
  }
  const message =
    provider?.message ??
    errorLine(stderrTail) ??
    lastLine(result?.text ?? '') ??
    (facts.exitCode === 0
      ? 'The agent ended without saying how it went.'
      : `The agent ended with code ${facts.exitCode ?? 'unknown'}.`)
  return failed({ type: 'agent_failed', message, exitCode: facts.exitCode })
}

const failureTypes = {
  retryable: 'provider_error',
  account_limit: 'account_limit',
  login: 'login_missing',
} as const

type ProviderFailure = NonNullable<ReturnType<AgentAdapter['providerFailure']>>

function retryOf(provider: ProviderFailure, { now, maxRetries }: ExitFacts): ProviderRetry {
  switch (provider.type) {
    case 'retryable':
      return { type: 'retryable', max: maxRetries, nextAttemptAt: now + (provider.retryAfterMs ?? 10_000) }
    case 'account_limit':
      return { type: 'wait', nextAttemptAt: accountFreeAt(provider, now) }
    // Runs of a CLI that is not signed in wait instead of failing.
    case 'login':
      return { type: 'wait', nextAttemptAt: now + 5 * 60_000 }
    case 'other':
      return { type: 'never' }
  }
}

/** No account is out of usage for longer; a time that cannot be is the word of a broken provider. */
const longestAccountWaitMs = 8 * 24 * 3_600_000

/** null: the provider did not tell. */
function toldFreeAt({ retryAt, retryAfterMs }: ProviderFailure, now: number): number | null {
  if (retryAt === undefined || retryAt > now + longestAccountWaitMs)
    return retryAfterMs === null ? null : now + retryAfterMs
  return Math.max(retryAt, now + interruptionPauseMs)
}

const accountFreeAt = (provider: ProviderFailure, now: number): number =>
  toldFreeAt(provider, now) ?? now + 15 * 60_000

const outOfMemory = ({ memoryLimitBytes, exitCode }: ExitFacts): RunFailure => ({
  type: 'out_of_memory',
  message: `The container ran out of memory (limit ${formatBytes(memoryLimitBytes)}).`,
  exitCode,
})
