import type { MailboxDetail } from '@shared/contract/mailboxes'
import type { SessionRecord } from '@shared/contract/sessions'
import type { MailboxId } from '@shared/model/ids'
import { shortId } from '@shared/format'
import { badgeWords } from '@shared/timeline/badge-words'
import { sessionBadge } from '@shared/timeline/session-badge'
import { err, ok, type Result } from '@shared/result'
import type { Command, CommandContext, CommandResult } from '../command'
import type { EngineClient } from '../engine-client'
import { describeError, exitCodes, type CommandFailure } from '../failures'
import { table } from '../output'
import { statusLine } from './watch'
import { toSessionRow } from './sessions'

/** The first start builds an image; after that all takes under a minute. */
const patienceMs = 20 * 60_000

export const demoCommand: Command = {
  name: 'demo',
  about:
    'Makes the demo project anew and works on it to the end: one issue remembers, one loses its memory on purpose.',
  positionals: [],
  options: {
    json: {
      type: 'boolean',
      about: 'Print issues and sessions as JSON when all is done; progress goes to standard error.',
    },
    headless: { type: 'boolean', about: 'Without a window (this command never has one).' },
    runner: { type: 'string', value: 'container|host', about: 'Where the agent works (default: container).' },
    yes: {
      type: 'boolean',
      about: 'With --runner host: consent to run the demo agent on this computer without a container.',
    },
    remove: {
      type: 'boolean',
      about: 'Remove the demo project with all that belongs to it, and do nothing else.',
    },
  },
  details: 'Exit code 0 only when the second session of issue 1 really resumed its first.',
  needs: 'works',
  async run(context) {
    const { client, args, output } = context
    if (args.flag('remove')) {
      const removed = await client.call('demo', 'remove', {})
      if (!removed.ok) return failed(removed.error)
      output.progress('The demo project is removed.')
      return ok(exitCodes.done)
    }
    const runner = args.text('runner') ?? 'container'
    if (runner !== 'container' && runner !== 'host')
      return err({ type: 'usage', message: `${runner} is no runner: container or host` })
    const started = await client.call('demo', 'start', { runner, consent: args.flag('yes') })
    if (!started.ok) return failed(started.error, runner)
    const end = await client.follow(
      'app',
      'statusChanges',
      null,
      createProgress((text) => output.progress(text)),
    )
    try {
      return await watchDemo(context, started.value.mailboxIds)
    } finally {
      end()
    }
  },
}

function failed(error: { readonly type: string }, runner = 'container'): CommandResult {
  const hint =
    error.type === 'docker_unreachable' && runner === 'container'
      ? ' Without Docker the demo agent can run on this computer itself, without any walls and without sessions: alfred demo --runner host --yes'
      : ''
  const said = describeError(error)
  const sentence = hint === '' || /[.!?]$/.test(said) ? said : `${said}.`
  return err({ type: 'failed', message: `${sentence}${hint}` })
}

function createProgress(print: (text: string) => void) {
  let last = ''
  return (
    status: Parameters<typeof statusLine>[0] & {
      readonly image: {
        readonly state: string
        readonly step: string | null
        readonly fraction: number | null
      }
    },
  ): void => {
    const { state, step, fraction } = status.image
    const image =
      state === 'building'
        ? `; building the agent image: ${step ?? ''}${fraction === null ? '' : ` ${Math.round(fraction * 100)} %`}`
        : ''
    const text = statusLine(status) + image
    if (text !== last) print(text)
    last = text
  }
}

interface DemoState {
  readonly issues: readonly MailboxDetail[]
  readonly sessions: readonly (readonly SessionRecord[])[]
}

/** Validates the first plan as a person would, and waits until both issues have come to their end. */
async function watchDemo(
  { client, args, output, signal }: CommandContext,
  mailboxIds: readonly MailboxId[],
): Promise<CommandResult> {
  const deadline = Date.now() + patienceMs
  const told = new Set<string>()
  const tell = (text: string): void => {
    if (told.has(text)) return
    told.add(text)
    output.progress(text)
  }
  for (;;) {
    const state = await readDemo(client, mailboxIds)
    if (!state.ok) return state
    const { issues, sessions } = state.value
    for (const issue of issues)
      if (issue.status !== null) tell(`#${issue.iid} is ${issue.status.replaceAll('_', ' ')}`)
    const [first] = issues
    if (first?.status === 'waiting_validation' && first.now?.kind === 'needs_you') {
      tell(`#${first.iid}: the plan is validated`)
      const validated = await client.call('mailboxes', 'validatePlan', { mailboxId: first.id })
      if (!validated.ok && validated.error.type !== 'nothing_to_validate')
        return err({ type: 'failed', message: describeError(validated.error) })
    }
    if (issues.every(hasCome) || signal.aborted || Date.now() > deadline) {
      return tellResult(args.flag('json'), output, { issues, sessions }, issues.every(hasCome))
    }
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** In review, or blocked: nothing more happens without a person. */
const hasCome = (issue: MailboxDetail): boolean =>
  issue.now?.kind !== 'live' &&
  (issue.status === 'in_review' || issue.status === 'blocked' || issue.status === 'done')

async function readDemo(
  client: EngineClient,
  mailboxIds: readonly MailboxId[],
): Promise<Result<DemoState, CommandFailure>> {
  const issues: MailboxDetail[] = []
  const sessions: (readonly SessionRecord[])[] = []
  for (const mailboxId of mailboxIds) {
    const issue = await client.call('mailboxes', 'get', { mailboxId })
    if (!issue.ok) return err({ type: 'failed', message: describeError(issue.error) })
    const records = await client.call('sessions', 'records', { mailboxId, limit: 100 })
    if (!records.ok) return err({ type: 'failed', message: describeError(records.error) })
    issues.push(issue.value)
    sessions.push(records.value)
  }
  return ok({ issues, sessions })
}

function tellResult(
  isForProgram: boolean,
  output: CommandContext['output'],
  { issues, sessions }: DemoState,
  isDone: boolean,
): CommandResult {
  if (isForProgram)
    output.json({ issues: issues.map(toIssueRow), sessions: sessions.flat().map(toSessionRow) })
  else {
    const rows = sessions.flatMap((records, index) =>
      records.map((record) => [
        `#${issues[index]?.iid ?? '?'}`,
        String(record.runId),
        badgeWords[sessionBadge({ ...record, state: 'ended' })],
        record.nativeSessionId === null ? 'no id' : shortId(record.nativeSessionId),
        record.sessionName ?? '-',
      ]),
    )
    output.line(table(['issue', 'run', 'memory', 'id', 'name'], rows))
  }
  if (!isDone) return err({ type: 'failed', message: 'The demo did not come to its end.' })
  const [first, second] = sessions[0] ?? []
  const hasResumed =
    second?.resumed === true &&
    first?.nativeSessionId != null &&
    first.nativeSessionId === second.nativeSessionId
  if (hasResumed) return ok(exitCodes.done)
  const why =
    second?.mode === 'none'
      ? 'sessions do not apply on the host runner'
      : 'the second session of issue 1 did not resume its first'
  return err({ type: 'failed', message: `Nothing was remembered: ${why}.` })
}

function toIssueRow(issue: MailboxDetail): Readonly<Record<string, unknown>> {
  return {
    mailbox_id: issue.id,
    project: issue.projectPath,
    iid: issue.iid,
    title: issue.title,
    status: issue.status,
    labels: issue.labels,
    branch_name: issue.branchName,
    change_iid: issue.changeIid,
    is_open: issue.isOpen,
    plan_validated: issue.plan?.isApproved ?? false,
    session_count: issue.sessionCount,
  }
}
