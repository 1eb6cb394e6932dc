import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { createRunEventStore } from '@main/adapters/db/run-event-store'
import { sandboxLabels } from '@main/core/sandbox/sandbox-spec'
import type { StoredEvent } from '@main/ports/stores'
import type { RunId } from '@shared/model/ids'
import { testDocker, value } from './engine-bench'
import { openEngineDatabase } from './engine-database'

/*
 * What became of the work of an engine, read from outside: its database, its disk, the forge's repositories and the
 * engine of containers. Two lives that led to the same have the same ledger: no ids, no times, no words of a model.
 */

export interface IssueLedger {
  readonly iid: number
  readonly status: string | null
  readonly labels: readonly string[]
  /** `+label` and `-label`, as they came. */
  readonly labelEvents: readonly string[]
  /** Kinds of Alfred's comments, as they came. */
  readonly comments: readonly string[]
  readonly sections: number
  readonly changes: readonly string[]
  /** Commits of the issue's branch on the forge that the default branch has not; null: no such branch. */
  readonly commits: number | null
  readonly runs: readonly RunLedger[]
  readonly posts: readonly string[]
  readonly notifications: readonly string[]
}

export interface RunLedger {
  readonly phase: string
  readonly outcome: string | null
  /** Outcomes of its attempts. */
  readonly attempts: readonly (string | null)[]
  readonly starts: readonly string[]
  readonly commits: number | null
  /** Mode, whether resumed, why not, and which of the issue's memories, counted from 0. */
  readonly sessions: readonly string[]
  /** Kinds of what is on its transcript, but for what Alfred itself notes. */
  readonly transcript: readonly string[]
}

type Row = Readonly<Record<string, string | number | null>>

export const openData = (folder: string): Database.Database => openEngineDatabase(folder, { readonly: true })

export function readIssues(folder: string): readonly IssueLedger[] {
  const db = openData(folder)
  try {
    return rows(db, 'SELECT * FROM mailboxes ORDER BY iid').map((mailbox) => issueLedger(db, folder, mailbox))
  } finally {
    db.close()
  }
}

const rows = (
  db: Database.Database,
  sql: string,
  ...given: readonly (string | number | null | undefined)[]
) => db.prepare(sql).all(...given) as readonly Row[]

/** As the store reads them: what an agent printed in a burst may still lie packed. */
const eventsOf = (db: Database.Database, run: Row): readonly StoredEvent[] =>
  createRunEventStore(db).list(Number(run['id']) as RunId, 0, 1_000_000)

function issueLedger(db: Database.Database, folder: string, mailbox: Row): IssueLedger {
  const [issue] = rows(
    db,
    'SELECT * FROM local_issues WHERE project_id = ? AND iid = ?',
    mailbox['project_id'],
    mailbox['iid'],
  )
  const of = (sql: string): readonly Row[] => rows(db, sql, issue?.['id'])
  const comments = of('SELECT body FROM local_comments WHERE issue_id = ? ORDER BY id')
  return {
    iid: Number(mailbox['iid']),
    status: text(mailbox['status']),
    labels: of(
      `SELECT name FROM local_labels JOIN local_issue_labels ON label_id = local_labels.id
       WHERE issue_id = ? ORDER BY name`,
    ).map(({ name }) => String(name)),
    labelEvents: of('SELECT * FROM local_label_events WHERE issue_id = ? ORDER BY id').map(
      ({ action, label }) => `${action === 'added' ? '+' : '-'}${label}`,
    ),
    comments: comments.flatMap(({ body }) => /kind=(\w+) -->\s*$/.exec(String(body))?.[1] ?? []),
    sections: String(issue?.['body']).split('<!-- agent:section:start -->').length - 1,
    changes: rows(
      db,
      'SELECT * FROM local_changes WHERE project_id = ? AND closes_iid = ?',
      mailbox['project_id'],
      mailbox['iid'],
    ).map(({ state, source_branch }) => `${state} ${source_branch}`),
    commits: commitsOf(db, folder, mailbox),
    runs: runLedgers(db, mailbox),
    posts: rows(db, 'SELECT kind, state FROM outbox WHERE mailbox_id = ? ORDER BY seq', mailbox['id']).map(
      ({ kind, state }) => `${kind} ${state}`,
    ),
    notifications: rows(
      db,
      'SELECT kind, title FROM notifications WHERE mailbox_id = ? ORDER BY kind, title',
      mailbox['id'],
    ).map(({ kind, title }) => `${kind}: ${title}`),
  }
}

const text = (value: string | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value)

function commitsOf(db: Database.Database, folder: string, mailbox: Row): number | null {
  const [project] = rows(
    db,
    `SELECT projects.slug AS project, organizations.slug AS organization FROM projects
     JOIN organizations ON organizations.id = organization_id WHERE projects.id = ?`,
    mailbox['project_id'],
  )
  const remote = join(folder, 'local-forge', String(project?.['organization']), `${project?.['project']}.git`)
  const git = (...argv: readonly string[]): string =>
    execFileSync('git', ['--git-dir', remote, ...argv], { encoding: 'utf8' }).trim()
  const branches = git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n')
  const branch = String(mailbox['branch_name'])
  return branches.includes(branch) ? Number(git('rev-list', '--count', `main..${branch}`)) : null
}

function runLedgers(db: Database.Database, mailbox: Row): readonly RunLedger[] {
  const memories: string[] = []
  return rows(db, 'SELECT * FROM runs WHERE mailbox_id = ? ORDER BY id', mailbox['id']).map((run) => ({
    phase: String(run['phase']),
    outcome: text(run['outcome']),
    attempts: rows(db, 'SELECT outcome FROM run_attempts WHERE run_id = ? ORDER BY number', run['id']).map(
      ({ outcome }) => text(outcome),
    ),
    starts: rows(
      db,
      `SELECT run_starts.kind FROM run_starts JOIN run_attempts ON run_attempts.id = attempt_id
       WHERE run_id = ? ORDER BY run_starts.id`,
      run['id'],
    ).map(({ kind }) => String(kind)),
    commits: run['commits'] === null ? null : Number(run['commits']),
    sessions: rows(db, 'SELECT * FROM llm_sessions WHERE run_id = ? ORDER BY id', run['id']).map(
      (session) => {
        const id = String(session['native_session_id'])
        if (!memories.includes(id)) memories.push(id)
        return [
          session['mode'],
          session['resumed'] === 1 ? 'resumed' : session['resume_fallback'],
          `memory ${memories.indexOf(id)}`,
          session['ended_at'] === null ? 'open' : 'ended',
        ].join(', ')
      },
    ),
    transcript: eventsOf(db, run)
      .map(({ kind }) => kind)
      .filter((kind) => kind !== 'notice'),
  }))
}

/** What must hold whatever happened; the sentences of what does not. */
export async function findFaults(folder: string): Promise<readonly string[]> {
  const db = openData(folder)
  try {
    return [
      ...rows(db, 'SELECT * FROM session_locks').map(({ run_id }) => `run ${run_id} holds a lock`),
      ...(await containersOf(folder)).map((name) => `the container ${name} is there`),
      ...rows(db, 'SELECT * FROM runs ORDER BY id').flatMap((run) => faultsOfRun(db, folder, run)),
    ]
  } finally {
    db.close()
  }
}

export async function containersOf(folder: string): Promise<readonly string[]> {
  if (!existsSync(join(folder, 'alfred.db'))) return []
  const db = openData(folder)
  const [install] = rows(db, "SELECT value FROM meta WHERE key = 'install_id'")
  db.close()
  const found = await testDocker().listByLabel(sandboxLabels.install, String(install?.['value']))
  return value(found).map(({ name }) => name)
}

function faultsOfRun(db: Database.Database, folder: string, run: Row): readonly string[] {
  const runFolder = join(folder, 'runs', String(run['uid']))
  const name = `run ${run['id']} (${run['phase']})`
  const faults: string[] = []
  if (eventsOf(db, run).some(({ seq }, index) => seq !== index + 1))
    faults.push(`${name}: a number of an event is missing`)
  const record = existsSync(join(runFolder, 'run.json'))
    ? (JSON.parse(readFileSync(join(runFolder, 'run.json'), 'utf8')) as { run: { outcome: string | null } })
    : null
  if (record?.run.outcome !== run['outcome']) faults.push(`${name}: its record says ${record?.run.outcome}`)
  const starts = rows(
    db,
    `SELECT run_starts.*, run_attempts.number AS attempt FROM run_starts
     JOIN run_attempts ON run_attempts.id = attempt_id WHERE run_id = ? ORDER BY run_starts.id`,
    run['id'],
  )
  for (const start of starts) {
    const raw = join(runFolder, 'out', `${start['attempt']}-${start['number']}`)
    for (const stream of ['stream.out', 'stream.err'])
      if (existsSync(join(raw, stream))) faults.push(`${name}: ${stream} was left unredacted`)
  }
  return [...faults, ...faultsOfTranscript(db, runFolder, run, starts, name)]
}

/** Line by line: each that the agent printed is on the transcript once, where it belongs. */
function faultsOfTranscript(
  db: Database.Database,
  runFolder: string,
  run: Row,
  starts: readonly Row[],
  name: string,
): readonly string[] {
  const faults: string[] = []
  const printed = starts.flatMap((start) => {
    const log = join(runFolder, 'log', `${start['attempt']}-${start['number']}-stdout.log`)
    if (!existsSync(log)) return []
    const bytes = readFileSync(log)
    const offset = start['stdout_offset'] ?? 0
    if (offset !== bytes.length) faults.push(`${name}: ${offset} of ${bytes.length} bytes were taken`)
    return bytes
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => printedEvent(JSON.parse(line) as PrintedLine))
  })
  const stored = eventsOf(db, run)
    .filter(({ kind }) => kind !== 'notice' && kind !== 'warning')
    .map(({ kind, payload }) => storedEvent(kind, payload as StoredPayload))
  const length = Math.max(printed.length, stored.length)
  for (let at = 0; at < length; at += 1) {
    if (printed[at] !== stored[at])
      return [
        ...faults,
        `${name}: line ${at + 1} was ${printed[at] ?? 'none'} and is ${stored[at] ?? 'none'}`,
      ]
  }
  return faults
}

/** What the demo agent prints, and what is stored of it: enough of each to tell it from every other line. */
interface PrintedLine {
  readonly type: string
  readonly session_id?: string
  readonly id?: string
  readonly output_tokens?: number
  readonly text?: string
}
interface StoredPayload {
  readonly nativeId?: string
  readonly callId?: string
  readonly outputTokens?: number
  readonly text?: string
}

/** A text stands beside the rest of its payload. */
const storedPayload = (payload: unknown, text: unknown): StoredPayload => ({
  ...(JSON.parse(String(payload)) as StoredPayload),
  ...(typeof text === 'string' ? { text } : {}),
})

function printedEvent({ type, session_id, id, output_tokens, text }: PrintedLine): string {
  const kind = type === 'init' ? 'session' : type
  return [kind, session_id ?? id ?? output_tokens ?? text].join(' ')
}

const storedEvent = (kind: string, { nativeId, callId, outputTokens, text }: StoredPayload): string =>
  [kind, nativeId ?? callId ?? outputTokens ?? text].join(' ')

/** Folders of the quarantine that nobody removed. */
export function leftInQuarantine(folder: string): readonly string[] {
  const quarantine = join(folder, 'git', 'quarantine')
  return existsSync(quarantine) ? readdirSync(quarantine) : []
}

/** What Alfred itself noted on the transcripts, oldest first. */
export function readNotices(folder: string): readonly string[] {
  const db = openData(folder)
  const notices = rows(db, "SELECT payload, text FROM run_events WHERE kind = 'notice' ORDER BY id")
  db.close()
  return notices.map(({ payload, text }) => String(storedPayload(payload, text).text))
}
