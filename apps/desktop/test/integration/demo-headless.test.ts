import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAlfred, runAlfred } from './support/alfred-process'
import { removeFolder } from './support/engine-bench'
import { openEngineDatabase } from './support/engine-database'

/*
 * `alfred demo` as a newcomer runs it, on a data folder that was never used.
 */

interface Report {
  readonly issues: readonly Readonly<Record<string, unknown>>[]
  readonly sessions: readonly Readonly<Record<string, unknown>>[]
}

let program: string
let folder: string
beforeAll(async () => {
  program = await buildAlfred()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-demo-'))
})
afterEach(() => removeFolder(folder))

describe('the demo', () => {
  it('remembers in one issue and loses its memory in the other, twice in a row', async () => {
    // what the app says of agents and models costs nothing in a demo
    for (const [key, value] of [
      ['AGENT_ADAPTER_ANALYSIS', 'api'],
      ['AGENT_MODEL', 'some-model'],
    ] as const)
      expect(await runAlfred(program, folder, ['settings', 'set', key, value])).toMatchObject({ code: 0 })
    for (let round = 0; round < 2; round += 1) {
      const ended = await runAlfred(program, folder, ['demo', '--headless', '--json'])
      expect(ended).toMatchObject({ code: 0 })
      const { issues, sessions } = JSON.parse(ended.stdout) as Report
      expect(issues.map(({ iid, status, plan_validated }) => [iid, status, plan_validated])).toEqual([
        [1, 'in_review', true],
        [2, 'in_review', true],
      ])
      const [first, second, third, fourth] = sessions
      expect(sessions).toHaveLength(4)
      expect(sessions.map(({ adapter, model }) => [adapter, model])).toEqual(
        Array.from({ length: 4 }, () => ['demo', null]),
      )
      expect(first).toMatchObject({
        mode: 'fresh',
        resumed: false,
        resume_fallback: 'no_prior_session',
        cost_usd: 0,
        provider: null,
      })
      expect(second).toMatchObject({
        mode: 'resume',
        resumed: true,
        resume_fallback: null,
        native_session_id: first?.['native_session_id'],
        session_name: issues[0]?.['branch_name'],
      })
      expect(third).toMatchObject({ resumed: false, resume_fallback: 'no_prior_session' })
      expect(fourth).toMatchObject({
        resumed: false,
        resume_fallback: 'state_missing',
        requested_session_id: third?.['native_session_id'],
      })
      expect(String(second?.['created_at'])).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
      expect(Object.keys(first ?? {}).toSorted()).toEqual(columnsOfSessions())
      expect(ended.stderr).toContain('#1: the plan is validated')
    }
    const sessions = await runAlfred(program, folder, ['sessions', 'demo/harbour-notes#2'])
    expect(sessions.stdout).toContain('Fell back · state missing (was ')
    expect((await runAlfred(program, folder, ['issue', 'show', 'harbour-notes#2'])).stdout).toContain(
      'took the memory of this issue away on purpose',
    )
    expect((await runAlfred(program, folder, ['issue', 'diff', 'harbour-notes#1'])).stdout).toContain(
      '+export function slugify',
    )
    expect(await runAlfred(program, folder, ['demo', '--remove'])).toMatchObject({ code: 0 })
    expect((await runAlfred(program, folder, ['project', 'list'])).stdout).toContain('No project yet')
  })

  it('says that there is no Docker, offers the host runner, and asks for consent first', async () => {
    const nowhere = `unix://${join(folder, 'nowhere.sock')}`
    await runAlfred(program, folder, ['settings', 'set', 'DOCKER_ENDPOINT', nowhere])
    const ended = await runAlfred(program, folder, ['demo'])
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('alfred demo --runner host --yes')
    const unasked = await runAlfred(program, folder, ['demo', '--runner', 'host'])
    expect([unasked.code, unasked.stderr.includes('consent')]).toEqual([1, true])
  })

  it('shows on the host runner that sessions do not apply there', async () => {
    const ended = await runAlfred(program, folder, ['demo', '--runner', 'host', '--yes', '--json'])
    const { issues, sessions } = JSON.parse(ended.stdout) as Report
    expect(issues.map(({ status }) => status)).toEqual(['in_review', 'in_review'])
    expect(
      sessions.map(({ mode, session_name, native_session_id, resumed }) => [
        mode,
        session_name,
        native_session_id,
        resumed,
      ]),
    ).toEqual(Array.from({ length: 4 }, () => ['none', null, null, false]))
    expect([ended.code, ended.stderr.includes('sessions do not apply on the host runner')]).toEqual([1, true])
    const database = openEngineDatabase(folder)
    const agreed = database
      .prepare("SELECT who FROM audit WHERE what = 'host runner agreed to'")
      .pluck()
      .all()
    database.close()
    expect(agreed).toEqual(['person'])
  })

  it('prints the timeline for people, and progress beside it', async () => {
    const ended = await runAlfred(program, folder, ['demo', '--runner', 'host', '--yes'])
    const [header, ...rows] = ended.stdout.trimEnd().split('\n')
    expect(header).toMatch(/^issue +run +memory +id +name$/)
    expect(rows.map((row) => row.split(/ {2,}/).filter((_, column) => column !== 1))).toEqual(
      ['#1', '#1', '#2', '#2'].map((issue) => [issue, 'No session', 'no id', '-']),
    )
    expect(ended.stderr).toContain('#1: the plan is validated')
  })
})

/** The columns of the table, which are what `--json` has for a session. */
function columnsOfSessions(): readonly string[] {
  const database = openEngineDatabase(folder)
  const columns = database
    .prepare<[], string>("SELECT name FROM pragma_table_info('llm_sessions') ORDER BY name")
    .pluck()
    .all()
  database.close()
  return columns
}
