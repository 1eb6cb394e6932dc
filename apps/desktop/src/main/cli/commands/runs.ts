import type { RunDetail, TranscriptEvent } from '@shared/contract/runs'
import { phaseSchema } from '@shared/model/words'
import { resumeChoiceSchema, type ResumeChoice, type RunId } from '@shared/model/ids'
import { formatCost, formatDuration, shortId } from '@shared/format'
import { phaseWords } from '@shared/phase-words'
import { err, ok, type Result } from '@shared/result'
import type { Command, CommandContext, CommandResult } from '../command'
import { describeError, exitCodes, type CommandFailure } from '../failures'
import { findMailbox, parseRunReference } from '../references'
import type { Arguments } from '../usage'
import { waitForRun } from '../wait-for-run'
import { badgeWords } from '@shared/timeline/badge-words'

export const choiceOptions = {
  fresh: { type: 'boolean', about: 'Start without the memory; it is kept.' },
  session: {
    type: 'string',
    value: 'N',
    about: 'Go on with this session (its number in "alfred sessions").',
  },
} as const

export const followOptions = {
  detach: { type: 'boolean', about: 'Queue it and return; needs a running Alfred.' },
  json: { type: 'boolean', about: 'Print the run as JSON when it has ended.' },
} as const

export const runCommand: Command = {
  name: 'run',
  about: 'Queues a run for an issue and follows it to its end.',
  positionals: ['PROJECT#IID'],
  options: {
    phase: {
      type: 'string',
      value: 'PHASE',
      about: `What it is for: ${phaseSchema.options.slice(0, 6).join(', ')}. Default: what is next.`,
    },
    ...choiceOptions,
    ...followOptions,
  },
  needs: 'works',
  async run(context) {
    const mailboxId = await findMailbox(context.client, context.args.positionals[0] ?? '')
    if (!mailboxId.ok) return mailboxId
    const phase = phaseOf(context.args)
    if (!phase.ok) return phase
    const resumeChoice = choiceOf(context.args)
    if (!resumeChoice.ok) return resumeChoice
    const requested = await context.client.call('runs', 'request', {
      mailboxId: mailboxId.value,
      phase: phase.value,
      resumeChoice: resumeChoice.value,
    })
    if (!requested.ok) return err({ type: 'failed', message: describeError(requested.error) })
    return followRun(context, requested.value.runId)
  },
}

export const retryCommand: Command = {
  name: 'retry',
  about: 'Runs the same phase again, with the memory unless asked otherwise.',
  positionals: ['RUN'],
  options: {
    ...choiceOptions,
    'take-over': { type: 'boolean', about: 'Stop the run that holds the issue first; its work is kept.' },
    ...followOptions,
  },
  needs: 'works',
  async run(context) {
    const runId = parseRunReference(context.args.positionals[0] ?? '')
    if (!runId.ok) return runId
    const resumeChoice = choiceOf(context.args)
    if (!resumeChoice.ok) return resumeChoice
    const retried = await context.client.call('runs', 'retry', {
      runId: runId.value,
      resumeChoice: resumeChoice.value,
      takeOver: context.args.flag('take-over'),
    })
    if (!retried.ok) return err({ type: 'failed', message: retryRefusal(retried.error) })
    return followRun(context, retried.value.runId)
  },
}

const retryRefusal = (error: { readonly type: string }): string =>
  error.type === 'already_running'
    ? `${describeError(error)} Add --take-over to stop it first.`
    : describeError(error)

export const stopCommand: Command = {
  name: 'stop',
  about: 'Stops a run; its work and memory are kept.',
  positionals: ['RUN'],
  options: {},
  needs: 'works',
  async run({ client, args, output }) {
    const runId = parseRunReference(args.positionals[0] ?? '')
    if (!runId.ok) return runId
    const stopped = await client.call('runs', 'stop', { runId: runId.value })
    if (!stopped.ok) return err({ type: 'failed', message: describeError(stopped.error) })
    const ended = await waitForEnd({ client }, runId.value)
    if (!ended.ok) return ended
    output.line(`Run ${runId.value} has ended: ${ended.value.row.outcome ?? 'unknown'}.`)
    return ok(exitCodes.done)
  },
}

function phaseOf(args: Arguments) {
  const text = args.text('phase')
  if (text === null) return ok(null)
  const parsed = phaseSchema.safeParse(text)
  return parsed.success
    ? ok(parsed.data)
    : err({ type: 'usage', message: `${text} is no phase: ${phaseSchema.options.join(', ')}` } as const)
}

export function choiceOf(args: Arguments): Result<ResumeChoice, CommandFailure> {
  const session = args.text('session')
  if (session !== null && args.flag('fresh'))
    return err({ type: 'usage', message: '--fresh and --session exclude each other' })
  if (session === null) return ok(args.flag('fresh') ? 'fresh' : 'auto')
  const parsed = resumeChoiceSchema.safeParse(`session:${session}`)
  return parsed.success
    ? ok(parsed.data)
    : err({ type: 'usage', message: `${session} is no session: write its number` })
}

/** Prints the transcript as it comes, then how the run ended. */
export async function followRun(context: CommandContext, runId: RunId): Promise<CommandResult> {
  const { args, output } = context
  const isForProgram = args.flag('json')
  if (args.flag('detach')) {
    if (isForProgram) output.json({ run_id: runId })
    else output.line(`Run ${runId} is queued.`)
    return ok(exitCodes.done)
  }
  output.progress(`Run ${runId} is queued.`)
  const ended = await followEvents(context, runId, (event) => {
    const text = isForProgram ? null : eventLine(event)
    if (text !== null) output.line(text)
  })
  return ended.ok ? tellEnd(context, runId, ended.value.row) : ended
}

/** Tells each event of the transcript once, as it comes, until the run has ended. */
export async function followEvents(
  { client, signal }: Pick<CommandContext, 'client' | 'signal'>,
  runId: RunId,
  onEvent: (event: TranscriptEvent) => void,
): Promise<Result<RunDetail, CommandFailure>> {
  let seen = 0
  const take = (events: readonly TranscriptEvent[]): void => {
    for (const event of events.filter(({ seq }) => seq > seen)) {
      seen = event.seq
      onEvent(event)
    }
  }
  const end = await client.follow('runs', 'live', { runId }, ({ events }) => take(events))
  try {
    const ended = await waitForEnd({ client, signal }, runId)
    if (!ended.ok) return ended
    const rest = await client.call('runs', 'events', { runId, afterSeq: seen, beforeSeq: null, limit: 1000 })
    if (rest.ok) take(rest.value.events)
    return ended
  } finally {
    end()
  }
}

type EndedRow = RunDetail['row']

function tellEnd({ args, output }: CommandContext, runId: RunId, row: EndedRow): CommandResult {
  if (args.flag('json'))
    output.json({
      run_id: runId,
      phase: row.phase,
      outcome: row.outcome,
      resumed: row.resumed,
      resume_fallback: row.resumeFallback,
      native_session_id: row.nativeSessionId,
      commits: row.commits,
    })
  else {
    const duration =
      row.startedAt === null || row.endedAt === null ? null : formatDuration(row.endedAt - row.startedAt)
    const figures = [duration, row.costUsd === null ? null : formatCost(row.costUsd)]
      .filter((part) => part !== null)
      .join(' · ')
    output.line(
      `${phaseWords[row.phase]}, run ${runId}: ${row.outcome ?? 'unknown'}. ${badgeWords[row.badge]}. ${row.result ?? ''} ${figures}`.trim(),
    )
  }
  return ok(row.outcome === 'succeeded' ? exitCodes.done : exitCodes.failed)
}

const waitForEnd = (
  context: Pick<CommandContext, 'client'> & { readonly signal?: AbortSignal },
  runId: RunId,
) => waitForRun(context, runId, ({ row }) => row.state === 'ended')

export function eventLine({ kind, payload }: TranscriptEvent): string | null {
  switch (kind) {
    case 'session':
      return `session ${shortId(payload.nativeId ?? '?')}${payload.proof === undefined ? '' : ` (${{ resumed: 'remembered', named: 'the one asked for', fresh: 'fresh', other_id: 'not the one asked for' }[payload.proof]})`}`
    case 'text':
    case 'result':
    case 'output':
      return payload.text ?? null
    case 'tool':
      return `> ${payload.name ?? 'tool'} ${payload.summary ?? ''}`.trimEnd()
    case 'tool_result':
      return payload.failed === true ? `! ${payload.output ?? 'failed'}` : null
    case 'notice':
    case 'warning':
    case 'error':
    case 'retry':
      return `- ${payload.text ?? ''}`
    case 'cut':
      return `- cut: ${payload.bytes ?? '?'} bytes, ${payload.keptBytes ?? '?'} kept`
    case 'thought':
    case 'usage':
      return null
  }
}
