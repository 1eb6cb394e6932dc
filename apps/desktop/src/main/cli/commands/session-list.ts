import type { SessionMemory, SessionRecord } from '@shared/contract/sessions'
import { formatAge, formatBytes, shortId } from '@shared/format'
import { formatExactCost } from '@shared/format/costs'
import { formatTokenSplit } from '@shared/format/tokens'
import { sessionIdSchema, type SessionId } from '@shared/model/ids'
import { sessionBadge } from '@shared/timeline/session-badge'
import { badgeWords } from '@shared/timeline/badge-words'
import { err, ok, type Result } from '@shared/result'
import type { CommandContext, EngineCommand } from '../command'
import { describeError, exitCodes, type CommandFailure } from '../failures'
import { table, toProgramRow } from '../output'
import { findMailbox } from '../references'
import { failed, jsonOption } from './on-issue'

/*
 * All sessions, one of them, and whether what they remember is still there.
 */

const pageSize = 1000

export const sessionsListCommand: EngineCommand = {
  name: 'sessions list',
  about: 'All sessions, or those of one issue, with the columns of llm_sessions.',
  positionals: ['[PROJECT#IID]'],
  options: { json: jsonOption },
  needs: 'answers',
  async run(context) {
    const records = await recordsOf(context)
    if (!records.ok) return records
    const { output, args } = context
    if (args.flag('json')) output.json(records.value.map(toProgramRow))
    else if (records.value.length === 0) output.line('No session yet.')
    else output.line(table(listHeader, records.value.map(listCells)))
    return ok(exitCodes.done)
  },
}

const listHeader = ['session', 'run', 'agent', 'memory', 'id', 'name', 'size', 'begun']

const listCells = (row: SessionRecord): readonly string[] => [
  String(row.id),
  String(row.runId),
  [row.adapter, row.model].filter((part) => part !== null).join(' '),
  badgeWords[sessionBadge({ ...row, state: row.endedAt === null ? 'running' : 'ended' })],
  row.nativeSessionId === null ? 'no id reported' : shortId(row.nativeSessionId),
  row.sessionName ?? '-',
  formatBytes(row.stateBytesAfter),
  new Date(row.createdAt).toISOString(),
]

/** Of the issue that is named, else of all; every page of them. */
async function recordsOf({ client, args }: CommandContext): Promise<Result<SessionRecord[], CommandFailure>> {
  const [issue] = args.positionals
  if (issue !== undefined) {
    const mailboxId = await findMailbox(client, issue)
    if (!mailboxId.ok) return mailboxId
    const found = await client.call('sessions', 'records', { mailboxId: mailboxId.value, limit: pageSize })
    return found.ok ? found : err({ type: 'failed', message: describeError(found.error) })
  }
  const all: SessionRecord[] = []
  for (;;) {
    const page = await client.call('sessions', 'all', { afterId: all.at(-1)?.id ?? null, limit: pageSize })
    if (!page.ok) return err({ type: 'failed', message: describeError(page.error) })
    all.push(...page.value)
    if (page.value.length < pageSize) return ok(all)
  }
}

export function parseSession(text: string | undefined): Result<SessionId, CommandFailure> {
  const parsed = sessionIdSchema.safeParse(Number(/^\d{1,15}$/.exec(text ?? '')?.[0] ?? Number.NaN))
  return parsed.success
    ? ok(parsed.data)
    : err({
        type: 'usage',
        message: `${text ?? ''} is no session: write its number, as "alfred sessions list" shows it`,
      })
}

export const sessionsShowCommand: EngineCommand = {
  name: 'sessions show',
  about: 'One session, with where its memory lies, how large and how old it is.',
  positionals: ['SESSION'],
  options: { json: jsonOption },
  needs: 'answers',
  async run({ client, args, output }) {
    const sessionId = parseSession(args.positionals[0])
    if (!sessionId.ok) return sessionId
    const found = await client.call('sessions', 'show', { sessionId: sessionId.value })
    if (!found.ok) return failed(found.error)
    const { record, memory } = found.value
    if (args.flag('json')) output.json({ ...toProgramRow(record), memory: toProgramRow(memory) })
    else output.line(table(['', ''], showLines(record, memory)).trim())
    return ok(exitCodes.done)
  },
}

function showLines(record: SessionRecord, memory: SessionMemory): readonly (readonly string[])[] {
  const { bytes, savedAt, setAside, droppedAt } = memory
  return [
    ['session', String(record.id)],
    ['issue', memory.issue],
    ['run', String(record.runId)],
    ['agent', [record.adapter, record.model].filter((part) => part !== null).join(' ')],
    ['name', record.sessionName ?? '-'],
    ['id', record.nativeSessionId ?? 'no id reported'],
    [
      'memory',
      `${memoryWords[memory.state]}${setAside === null ? '' : `; not tried any more (${setAside})`}`,
    ],
    ['dropped', droppedAt === null ? 'no' : new Date(droppedAt).toISOString()],
    ['folder', memory.folder ?? '-'],
    ['file', memory.file ?? '-'],
    ['size', formatBytes(bytes)],
    ['saved', savedAt === null ? 'unknown' : `${formatAge(Date.now() - savedAt)} ago`],
    ['tokens', formatTokenSplit(record)],
    ['cost', formatExactCost(record.costUsd)],
  ]
}

const memoryWords: Readonly<Record<SessionMemory['state'], string>> = {
  ok: 'there, and readable',
  missing: 'its state is not there',
  empty: 'its state is empty',
  unreadable: 'its state cannot be read',
  removed: 'removed at cleanup',
  none: 'none: no id was reported',
}

/** What should be there and is not. */
const isBroken = ({ state, droppedAt }: SessionMemory): boolean =>
  droppedAt === null && (state === 'missing' || state === 'empty' || state === 'unreadable')

export const sessionsVerifyCommand: EngineCommand = {
  name: 'sessions verify',
  about: 'Checks that the state of each memory is there and readable; ends with 1 when one is not.',
  positionals: ['[PROJECT#IID]'],
  options: { json: jsonOption },
  needs: 'answers',
  details:
    'Looks at the newest session of each memory. What was removed at cleanup or dropped is no failure.',
  async run(context) {
    const { client, args, output } = context
    const records = await recordsOf(context)
    if (!records.ok) return records
    const checked: { readonly record: SessionRecord; readonly memory: SessionMemory }[] = []
    for (const record of newestOfEach(records.value)) {
      const found = await client.call('sessions', 'show', { sessionId: record.id })
      if (!found.ok) return failed(found.error)
      checked.push(found.value)
    }
    const broken = checked.filter(({ memory }) => isBroken(memory))
    if (args.flag('json')) {
      output.json(
        checked.map(({ record, memory }) => ({
          ...toProgramRow(memory),
          adapter: record.adapter,
          native_session_id: record.nativeSessionId,
          ok: !isBroken(memory),
        })),
      )
    } else {
      if (checked.length > 0) output.line(table(verifyHeader, checked.map(verifyCells)))
      output.line(
        broken.length === 0
          ? `${checked.length} ${checked.length === 1 ? 'memory' : 'memories'} checked, all as they should be.`
          : `${broken.length} of ${checked.length} cannot be resumed: a run that asks for it starts fresh. "alfred sessions fork N" copies what can still be read, "alfred sessions drop N" goes on without.`,
      )
    }
    return ok(broken.length === 0 ? exitCodes.done : exitCodes.failed)
  },
}

const verifyHeader = ['session', 'issue', 'agent', 'id', 'size', 'state']

const verifyCells = ({
  record,
  memory,
}: {
  readonly record: SessionRecord
  readonly memory: SessionMemory
}): readonly string[] => [
  String(record.id),
  memory.issue,
  record.adapter,
  record.nativeSessionId === null ? '-' : shortId(record.nativeSessionId),
  formatBytes(memory.bytes),
  memory.droppedAt === null ? memoryWords[memory.state] : 'dropped',
]

/** The sessions of one mailbox that share adapter and id are one memory. */
function newestOfEach(records: readonly SessionRecord[]): readonly SessionRecord[] {
  const newest = new Map<string, SessionRecord>()
  for (const record of records) {
    if (record.nativeSessionId !== null)
      newest.set(`${record.mailboxId} ${record.adapter} ${record.nativeSessionId}`, record)
  }
  return [...newest.values()]
}
