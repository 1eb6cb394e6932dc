import { resolve } from 'node:path'
import type { BroughtIn, FoundSession } from '@shared/contract/sessions'
import { formatAge, formatBytes } from '@shared/format'
import type { MailboxId } from '@shared/model/ids'
import { adapterIdSchema, type AdapterId } from '@shared/model/words'
import { err, ok, type Result } from '@shared/result'
import type { CommandContext, CommandResult, EngineCommand } from '../command'
import { describeError, exitCodes, type CommandFailure } from '../failures'
import { table, toProgramRow } from '../output'
import { findMailbox } from '../references'
import { failed, jsonOption } from './on-issue'
import { parseSession } from './session-list'

/*
 * Sessions made by hand become an issue's, and memories are repaired by hand.
 */

const adapterOption = {
  type: 'string',
  value: 'NAME',
  about: 'Only sessions of this agent CLI: claude-code, codex, …',
} as const

export const sessionsFindCommand: EngineCommand = {
  name: 'sessions find',
  about: 'Finds sessions that were made by hand with an agent CLI, below a folder; only reads.',
  positionals: ['PROJECT#IID', 'FOLDER'],
  options: { adapter: adapterOption, json: jsonOption },
  needs: 'answers',
  details: 'FOLDER is a home, or the folder in which a CLI keeps its sessions. Nothing else is looked at.',
  async run(context) {
    const { args, output } = context
    const found = await findAll(context, null)
    if (!found.ok) return found
    const { sessions, isCut, problems } = found.value
    if (args.flag('json')) output.json(sessions.map(toProgramRow))
    else if (sessions.length > 0)
      output.line(table(['agent', 'id', 'size', 'saved', 'title', ''], sessions.map(foundCells)))
    else if (problems.length === 0) output.line('No session of an agent CLI was found there.')
    if (isCut)
      output.progress(
        'There are more; the newest are shown. "alfred sessions import" binds any of them by its id.',
      )
    return problems.length === 0 ? ok(exitCodes.done) : err({ type: 'failed', message: problems.join('\n') })
  },
}

const foundCells = (session: FoundSession): readonly string[] => [
  session.adapter,
  session.nativeId,
  formatBytes(session.bytes),
  `${formatAge(Date.now() - session.savedAt)} ago`,
  session.title ?? '-',
  session.obstacle ?? '',
]

interface Found {
  readonly mailboxId: MailboxId
  readonly folder: string
  readonly sessions: readonly FoundSession[]
  readonly isCut: boolean
  /** What could not be looked at, a line for each agent CLI; the others were. */
  readonly problems: readonly string[]
}

/** With `only`, that session alone. */
async function findAll(
  { client, args }: CommandContext,
  only: string | null,
): Promise<Result<Found, CommandFailure>> {
  const [issue = '', folderName = ''] = args.positionals
  const adapters = adaptersOf(args.text('adapter'))
  if (!adapters.ok) return adapters
  const mailboxId = await findMailbox(client, issue)
  if (!mailboxId.ok) return mailboxId
  const folder = resolve(folderName)
  const known = await client.call('sessions', 'finders', { mailboxId: mailboxId.value })
  if (!known.ok) return err({ type: 'failed', message: describeError(known.error) })
  const sessions: FoundSession[] = []
  const problems: string[] = []
  let isCut = false
  for (const adapter of adapters.value ?? known.value.map(({ adapter }) => adapter)) {
    const asked = { mailboxId: mailboxId.value, adapter, folder, nativeId: only }
    const found = await client.call('sessions', 'find', asked)
    if (found.ok) {
      sessions.push(...found.value.sessions)
      isCut ||= found.value.isCut
    } else if (found.error.type === 'not_a_folder' || found.error.type === 'not_readable') {
      return err({ type: 'failed', message: found.error.message })
    } else {
      problems.push(`Sessions of ${adapter} could not be looked for. ${describeError(found.error)}`)
    }
  }
  return ok({ mailboxId: mailboxId.value, folder, sessions, isCut, problems })
}

/** null: all of them. */
function adaptersOf(name: string | null): Result<readonly AdapterId[] | null, CommandFailure> {
  if (name === null) return ok(null)
  const parsed = adapterIdSchema.safeParse(name)
  return parsed.success ? ok([parsed.data]) : err({ type: 'usage', message: `${name} is no agent CLI` })
}

export const sessionsImportCommand: EngineCommand = {
  name: 'sessions import',
  about: 'Binds one of them to an issue: its state is copied, and the next run goes on with it.',
  positionals: ['PROJECT#IID', 'FOLDER', 'ID'],
  options: { adapter: adapterOption, json: jsonOption },
  needs: 'answers',
  async run(context) {
    const nativeId = context.args.positionals[2] ?? ''
    const found = await findAll(context, nativeId)
    if (!found.ok) return found
    const { sessions: meant, problems, isCut } = found.value
    const [only] = meant
    if (only === undefined) {
      const where = `No session ${nativeId} was found in ${found.value.folder}.`
      const rest = isCut ? ['There is more in it than was looked at: name a folder further down.'] : []
      return err({ type: 'failed', message: [where, ...rest, ...problems].join('\n') })
    }
    if (meant.length > 1)
      return err({
        type: 'failed',
        message: 'More than one agent CLI has a session with that id: add --adapter.',
      })
    const { mailboxId, folder } = found.value
    const made = await context.client.call('sessions', 'import', {
      mailboxId,
      adapter: only.adapter,
      folder,
      nativeId,
    })
    if (made.ok) return tell(context, 'Bound', made.value)
    return made.error.type === 'already_here'
      ? err({ type: 'failed', message: `The issue has this session already, since run ${made.error.runId}.` })
      : failed(made.error)
  },
}

export const sessionsForkCommand: EngineCommand = {
  name: 'sessions fork',
  about: 'Copies what can be read of a memory under a new id; the next run goes on with the copy.',
  positionals: ['SESSION'],
  options: { json: jsonOption },
  needs: 'answers',
  async run(context) {
    const sessionId = parseSession(context.args.positionals[0])
    if (!sessionId.ok) return sessionId
    const made = await context.client.call('sessions', 'fork', { sessionId: sessionId.value })
    return made.ok ? tell(context, 'Forked', made.value) : failed(made.error)
  },
}

function tell({ args, output }: CommandContext, what: string, made: BroughtIn): CommandResult {
  if (args.flag('json')) output.json(toProgramRow(made))
  else {
    const leftOut =
      made.recordsLeftOut === 0 ? '' : ` ${made.recordsLeftOut} records could not be read and were left out.`
    const next = made.isNext
      ? 'The next run goes on with it.'
      : `The next run uses another agent; "alfred run ISSUE --session ${made.sessionId}" goes on with it.`
    output.line(
      `${what} as session ${made.sessionId} of run ${made.runId} (${formatBytes(made.bytes)}).${leftOut} ${next} "alfred sessions drop ${made.sessionId}" takes it back.`,
    )
  }
  return ok(exitCodes.done)
}

export const sessionsDropCommand: EngineCommand = {
  name: 'sessions drop',
  about: 'No run goes on with this memory by itself any more; its state stays until cleanup.',
  positionals: ['SESSION'],
  options: { json: jsonOption },
  needs: 'answers',
  async run({ client, args, output }) {
    const sessionId = parseSession(args.positionals[0])
    if (!sessionId.ok) return sessionId
    const dropped = await client.call('sessions', 'drop', { sessionId: sessionId.value })
    if (!dropped.ok) return failed(dropped.error)
    const { nextSessionId } = dropped.value
    if (args.flag('json')) output.json(toProgramRow(dropped.value))
    else
      output.line(
        nextSessionId === null
          ? 'Dropped. The next run starts fresh.'
          : `Dropped. The next run goes on with session ${nextSessionId}.`,
      )
    return ok(exitCodes.done)
  },
}
