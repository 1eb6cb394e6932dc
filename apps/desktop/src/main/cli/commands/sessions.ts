import type { SessionRecord } from '@shared/contract/sessions'
import { formatCost, formatDuration, shortId } from '@shared/format'
import { phaseWords } from '@shared/phase-words'
import { badgeWordsOf } from '@shared/timeline/badge-words'
import { memoryKey, memoryLetter } from '@shared/timeline/memory-letters'
import { err, ok } from '@shared/result'
import type { Command } from '../command'
import { describeError, exitCodes } from '../failures'
import { table, toProgramRow } from '../output'
import { findMailbox } from '../references'

/** Rows that one answer holds at most. */
const recordsLimit = 1000
const pageLimit = 200

export const sessionsCommand: Command = {
  name: 'sessions',
  about: 'The session timeline of an issue: what remembered, what did not, and why.',
  positionals: ['PROJECT#IID'],
  options: { json: { type: 'boolean', about: 'All columns of llm_sessions, oldest first.' } },
  needs: 'answers',
  async run({ client, args, output }) {
    const mailboxId = await findMailbox(client, args.positionals[0] ?? '')
    if (!mailboxId.ok) return mailboxId
    if (args.flag('json')) {
      const records = await client.call('sessions', 'records', {
        mailboxId: mailboxId.value,
        limit: recordsLimit,
      })
      if (!records.ok) return err({ type: 'failed', message: describeError(records.error) })
      output.json(records.value.map(toSessionRow))
      return ok(exitCodes.done)
    }
    const page = await client.call('sessions', 'timeline', {
      mailboxId: mailboxId.value,
      beforeRunId: null,
      limit: pageLimit,
    })
    if (!page.ok) return err({ type: 'failed', message: describeError(page.error) })
    const { rows, rail, total } = page.value
    const letters = new Map(rail.memories.map(({ key }, index) => [key, memoryLetter(index)]))
    if (rows.length === 0) output.line('No session yet.')
    else {
      const header = [
        '',
        'run',
        'session',
        'phase',
        'agent',
        'memory',
        'id',
        'name',
        'time',
        'cost',
        'result',
      ]
      output.line(
        table(
          header,
          rows.map((row) => [
            row.nativeSessionId === null
              ? '-'
              : (letters.get(memoryKey(row.adapter, row.nativeSessionId)) ?? '?'),
            String(row.runId),
            row.sessionId === null ? '-' : String(row.sessionId),
            phaseWords[row.phase],
            [row.adapter, row.model].filter((part) => part !== null).join(' '),
            `${badgeWordsOf(row)}${row.resumeFallback !== null && row.requestedSessionId !== null ? ` (was ${shortId(row.requestedSessionId)})` : ''}`,
            row.nativeSessionId === null ? 'no id reported' : shortId(row.nativeSessionId),
            row.sessionName ?? '-',
            row.startedAt === null || row.endedAt === null
              ? row.state
              : formatDuration(row.endedAt - row.startedAt),
            formatCost(row.costUsd),
            row.result ?? row.outcome ?? '',
          ]),
        ),
      )
    }
    if (total > rows.length)
      output.progress(`${total - rows.length} earlier ones are not shown; --json has more.`)
    return ok(exitCodes.done)
  },
}

/** A row for programs: the columns of `llm_sessions`. */
export const toSessionRow = (record: SessionRecord): Readonly<Record<string, unknown>> => toProgramRow(record)
