import type { z } from 'zod'
import type { runsContract } from '@shared/contract/runs'
import { assertPresent } from '@shared/assert'
import type { MailboxId, ResumeChoice, RunId } from '@shared/model/ids'
import type { Mailbox, Run } from '@shared/model/records'
import type { Phase, Trigger } from '@shared/model/words'
import { err, ok, type Result } from '@shared/result'
import { isTalk } from '../../core/run/talk'
import type { Clock } from '../../ports/clock'
import type { Store } from '../../ports/stores'
import type { RunRequestError, RunRequests } from '../workflow/ports-of-workflow'
import { nextPhase } from './next-phase'
import { takenOver } from './start-successor'
import { untilOver } from './until-over'

type CommandError =
  | z.infer<(typeof runsContract)['retry']['error']>
  | { readonly type: 'not_found'; readonly what: string }

/** What a person may do with runs. */
export interface RunService {
  /** `phase` null: the one that the mailbox's status asks for. */
  request(
    mailboxId: MailboxId,
    phase: Phase | null,
    resumeChoice: ResumeChoice,
  ): Result<{ readonly runId: RunId }, CommandError>
  stop(runId: RunId): Result<null, CommandError>
  stopAll(): number
  retry(runId: RunId, resumeChoice: ResumeChoice): Result<{ readonly runId: RunId }, CommandError>
  /** The same, but a run that holds the mailbox is stopped first. It is left alone when the other could not start. */
  takeOver(runId: RunId, resumeChoice: ResumeChoice): Promise<Result<{ readonly runId: RunId }, CommandError>>
}

interface Parts {
  readonly store: Store
  readonly requests: RunRequests
  readonly personLogin: string
  readonly clock: Clock
}

const stoppedByPerson = { type: 'stopped', message: 'A person stopped the run.' } as const

export function createRunService(parts: Parts): RunService {
  const { store, requests } = parts
  const retry: RunService['retry'] = (runId, resumeChoice) => {
    const run = store.runs.find(runId)
    if (run === null) return err({ type: 'not_found', what: `run ${runId}` })
    const obstacle = whyNotRetryable(run)
    if (obstacle !== null) return err({ type: 'not_retryable', message: obstacle })
    return request(parts, store.mailboxes.get(run.mailboxId), run.phase, 'retry', resumeChoice)
  }
  return {
    request(mailboxId, phase, resumeChoice) {
      const mailbox = findOrNull(() => store.mailboxes.get(mailboxId))
      if (mailbox === null) return err({ type: 'not_found', what: `mailbox ${mailboxId}` })
      if (phase !== null && isTalk(phase)) return err({ type: 'not_retryable', message: talkIsContinued })
      return request(parts, mailbox, phase ?? nextPhase(store, mailbox), 'person', resumeChoice)
    },
    stop(runId) {
      const run = store.runs.find(runId)
      if (run === null) return err({ type: 'not_found', what: `run ${runId}` })
      if (run.state === 'ended') return err({ type: 'not_live' })
      requests.stopRun(runId, stoppedByPerson)
      return ok(null)
    },
    stopAll() {
      const live = store.runs.listLive()
      for (const run of live) requests.stopRun(run.id, stoppedByPerson)
      return live.length
    },
    retry,
    async takeOver(runId, resumeChoice) {
      const refused = retry(runId, resumeChoice)
      if (refused.ok || refused.error.type !== 'already_running') return refused
      const { runId: owner } = refused.error
      const { phase } = store.runs.get(runId)
      // Stored before the stop: whatever dies meanwhile, the end of the owner begins the other run.
      const before = store.transaction(() => {
        const noted = store.runs.successorOf(owner)
        if (noted?.terminal === undefined)
          store.runs.setSuccessor(owner, {
            phase,
            trigger: 'retry',
            requestedBy: parts.personLogin,
            resumeChoice,
            behind: noted ?? undefined,
          })
        return noted
      })
      // Of two who take over at once the other one was first.
      if (before?.terminal !== undefined) return refused
      requests.stopRun(owner, takenOver)
      if (!(await untilOver(parts, owner))) {
        store.runs.setSuccessor(owner, before)
        return refused
      }
      requests.kick()
      const next = runAfter(store, owner)
      return next === null ? retry(runId, resumeChoice) : ok({ runId: next.id })
    },
  }
}

/** The one that began with the end of this one. */
const runAfter = (store: Store, runId: RunId): Run | null =>
  store.runs.listByMailbox(store.runs.get(runId).mailboxId, 10, null).findLast((run) => run.id > runId) ??
  null

function request(
  { store, requests, personLogin }: Parts,
  mailbox: Mailbox,
  phase: Phase,
  trigger: Trigger,
  resumeChoice: ResumeChoice,
): Result<{ readonly runId: RunId }, CommandError> {
  const obstacle = whyNotStartable(mailbox)
  if (obstacle !== null) return err({ type: 'not_retryable', message: obstacle })
  const requested = store.transaction(() =>
    requests.requestRun({ mailboxId: mailbox.id, phase, trigger, requestedBy: personLogin, resumeChoice }),
  )
  if (!requested.ok) return err(toCommandError(requested.error))
  requests.kick()
  return ok({ runId: requested.value.id })
}

const whyNotRetryable = (run: Run): string | null =>
  isTalk(run.phase) ? 'A chat or a terminal is continued, not retried.' : null

const talkIsContinued = 'A chat or a terminal continues a run: it is not begun by itself.'

const whyNotStartable = (mailbox: Mailbox): string | null =>
  mailbox.isOpen ? null : 'The issue is closed. Open it again to work on it.'

function toCommandError(error: RunRequestError): CommandError {
  switch (error.type) {
    case 'already_running':
      return { type: 'already_running', runId: error.runId, since: error.since }
    case 'no_agent':
      return { type: 'no_agent', message: error.message }
    case 'session_not_found':
    case 'push_waits':
      return { type: 'not_retryable', message: error.message }
    case 'memory_removed':
      return { type: 'memory_removed', at: error.at }
  }
}

function findOrNull<T>(find: () => T): T | null {
  try {
    return assertPresent(find(), 'found')
  } catch {
    return null
  }
}
