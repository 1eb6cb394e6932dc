import type { Database, Statement } from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { createSystemRandomness } from '../system/system-randomness'
import { createStore } from './create-store'
import { createTimelineReader } from './timeline-reader'
import { createTranscriptSearch } from './transcript-search'

/*
 * Every statement that the stores prepare is explained by SQLite itself, so that none can read through a table that
 * grows with the years. Plans here do not depend on the rows: there are no statistics in the database.
 */

const growing = ['runs', 'run_attempts', 'run_starts', 'llm_sessions', 'run_events', 'outbox', 'mailboxes']

let test: TestStore
let prepared: string[]

beforeEach(() => {
  test = openTestStore()
  prepared = []
  createStore(recording(test.db), createSystemRandomness())
  createTimelineReader(recording(test.db))
  createTranscriptSearch(recording(test.db))
})
afterEach(() => {
  test.remove()
})

function recording(db: Database): Database {
  return new Proxy(db, {
    get: (target, name) => {
      if (name === 'prepare') {
        return (sql: string): Statement => {
          prepared.push(sql)
          return target.prepare(sql)
        }
      }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function planOf(sql: string): readonly string[] {
  const parameters = [...new Set(sql.match(/:\w+/g) ?? [])].map((name) => [name.slice(1), 1])
  const statement = test.db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
  const rows =
    parameters.length > 0
      ? statement.all(Object.fromEntries(parameters))
      : statement.all(...Array.from({ length: sql.split('?').length - 1 }, () => 1))
  return rows.map(({ detail }) => detail)
}

/** Names that a plan may use for a table: its own, or the alias of it in this statement. */
function namesOf(table: string, sql: string): readonly string[] {
  const aliases = [...sql.matchAll(new RegExp(`\\b${table}\\s+(?:AS\\s+)?([a-z]\\w*)`, 'g'))].map(
    (match) => match[1] ?? '',
  )
  return [table, ...aliases]
}

it('no statement of a store reads a growing table from end to end', () => {
  expect(prepared.length).toBeGreaterThan(80)
  const scans = prepared.flatMap((sql) =>
    growing.flatMap((table) =>
      planOf(sql)
        .filter((step) => namesOf(table, sql).some((name) => step === `SCAN ${name}`))
        .map((step) => `${step}: ${sql}`),
    ),
  )
  expect(scans).toEqual([])
})

it('what is read in the order of an index is a page of it, or one of the few partial ones', () => {
  const allowed = [
    // Pages: they end after their LIMIT.
    'mailboxes_open',
    'mailboxes_open_of_project',
    'mailboxes_by_group',
    'mailboxes_by_group_of_project',
    // Few rows, by what they are about.
    'runs_live',
    'runs_one_live_per_mailbox',
    'mailboxes_needing_person',
    'outbox_due',
    'outbox_unfinished',
    'notifications_unread',
    'runs_unsettled',
    'mailboxes_untold',
  ]
  const others = prepared
    .flatMap(planOf)
    .map((step) => /^SCAN (\w+) USING (?:COVERING )?INDEX (\w+)/.exec(step))
    .filter((match) => match !== null && !allowed.includes(match[2] ?? ''))
    .map((match) => match?.[0])
    // Tables that hold a handful of rows: what a person set up.
    .filter(
      (step) =>
        !/^SCAN (p|o|projects|organizations|forges|settings|images|agent_installations|session_locks) /.test(
          step ?? '',
        ),
    )
  expect(others).toEqual([])
})

it('the memories of an issue are looked up one by one, whatever the number of its sessions', () => {
  const sql = prepared.find((candidate) => /WITH RECURSIVE adapters/.test(candidate)) ?? ''
  const steps = planOf(sql).filter((step) => /\bllm_sessions_/.test(step))
  expect(steps.length).toBeGreaterThan(5)
  for (const step of steps)
    expect(step).toMatch(/^SEARCH \w+ USING COVERING INDEX llm_sessions_by_memory \(mailbox_id=\?/)
})

it.each([
  ['findPrior', 'llm_sessions_prior', /INDEXED BY llm_sessions_prior WHERE/],
  ['a page of sessions', 'llm_sessions_by_mailbox', /FROM llm_sessions WHERE mailbox_id = \? AND id < \?/],
  ['a page of runs', 'runs_by_mailbox', /FROM runs WHERE mailbox_id = \? AND id < \?/],
  ['what is to be cleaned', 'mailboxes_to_clean', /ORDER BY closed_at, id LIMIT/],
  ['a page of events', 'sqlite_autoindex_run_events_1', /FROM run_events WHERE run_id = \? AND seq > \?/],
  ['packed events after one', 'sqlite_autoindex_packed_events_2', /FROM packed_events .* last_seq > \?/],
  ['packed events before one', 'sqlite_autoindex_packed_events_1', /FROM packed_events .* first_seq < \?/],
])('%s goes through its own index, without sorting', (_, index, pattern) => {
  const sql = prepared.find((candidate) => pattern.test(candidate)) ?? ''
  const plan = planOf(sql)
  expect(plan[0]).toContain(index)
  expect(plan.join('\n')).not.toContain('TEMP B-TREE')
})
