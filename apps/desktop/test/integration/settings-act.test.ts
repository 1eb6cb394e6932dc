import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStore } from '@main/adapters/db/create-store'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import type { SettingKey, SettingScope } from '@shared/model/settings'
import { value } from './support/engine-bench'
import { openEngineDatabase } from './support/engine-database'
import { createMatrixBench, type MatrixBench, type MatrixIssue } from './support/matrix-bench'
import type { Recording } from './support/replayed-clis'

/*
 * What a setting says is what happens: from the scope that it was set for to the run.
 */

let bench: MatrixBench
let issue: MatrixIssue
beforeAll(async () => {
  bench = await createMatrixBench()
  issue = await bench.newIssue('demo')
})
afterAll(() => bench.remove())

type Said = readonly [scope: SettingScope, key: SettingKey, value: unknown]

/** With these settings, and without them again. */
async function under<T>(said: readonly Said[], work: () => Promise<T>): Promise<T> {
  for (const [scope, key, set] of said) await bench.setting(issue, scope, key, set)
  try {
    return await work()
  } finally {
    bench.play(issue, {})
    for (const [scope, key] of said) await bench.reset(issue, scope, key)
  }
}

const lastSpec = () => {
  const start = bench.starts(issue).at(-1)
  if (start === undefined) throw new Error('nothing was started')
  return start.spec
}

/** An agent that tells what it costs, and how it went; or not yet. */
const costing = (usd: number, isDone = true): Recording => ({
  stdout: [
    { type: 'init', session_id: '$ID' },
    { type: 'usage', cost_usd: usd },
    ...(isDone ? [{ type: 'result', is_error: false, text: 'done' }] : []),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(''),
  stderr: '',
  exitCode: 0,
  id: '$ID',
})

const nowOf = async ({ mailboxId }: MatrixIssue) =>
  value(await bench.client.call('mailboxes', 'get', { mailboxId })).now

describe('the limits of a run', () => {
  it('reach its container, each from the narrowest scope that says it', async () => {
    await under(
      [
        ['app', 'RUN_MEMORY', 1_000_000_000],
        ['app', 'RUN_PIDS', 100],
        ['organization', 'RUN_PIDS', 200],
        ['organization', 'RUN_CPUS', 0.5],
        ['project', 'RUN_CPUS', 1.5],
      ],
      () => bench.run(issue, 'development'),
    )
    expect(lastSpec().limits).toEqual({ memoryBytes: 1_000_000_000, pids: 200, cpus: 1.5 })
    await bench.run(issue, 'development')
    expect(lastSpec().limits).toEqual({ memoryBytes: 4_000_000_000, pids: 512, cpus: 2 })
  })

  it('set the time at which it must be over', async () => {
    const run = await under([['organization', 'RUN_TIMEOUT', 600_000]], () => bench.run(issue, 'development'))
    expect(run.timeoutMs).toBe(600_000)
    expect((run.deadline ?? 0) - (run.row.startedAt ?? 0)).toBe(600_000)
    // Whatever the setting is by now.
    const later = value(await bench.client.call('runs', 'get', { runId: run.row.runId }))
    expect(later.timeoutMs).toBe(600_000)
  })

  it('set how much of the disk it may fill before it is ended', async () => {
    const limit = 10_000_000
    const run = await under([['organization', 'RUN_DISK', limit]], async () => {
      bench.play(issue, { hangs: 'told' })
      const runId = await bench.request(issue, 'development')
      await bench.telling(runId)
      const workspace = lastSpec().mounts.find(({ target }) => target === '/workspace')
      const file = join(workspace?.kind === 'bind' ? workspace.source : '', 'large.bin')
      await writeFile(file, Buffer.alloc(limit + 1_000_000, 1))
      try {
        return await bench.ended(runId)
      } finally {
        await rm(file)
      }
    })
    expect(run.failure).toEqual({
      type: 'disk_limit',
      message: 'The run used more than its 10 MB of disk.',
    })
  })
})

describe('agent, model and provider', () => {
  it('are those of the phase where it has its own, else those of all phases', async () => {
    const said: readonly Said[] = [
      ['app', 'AGENT_MODEL', 'for-all'],
      ['project', 'AGENT_MODEL_DEVELOPMENT', 'for-development'],
      ['project', 'AGENT_PROVIDER_DEVELOPMENT', 'another'],
    ]
    await under(said, async () => {
      await bench.run(issue, 'development')
      expect(lastSpec().argv).toContain('--model=for-development')
      expect((await bench.sessions(issue)).at(-1)).toMatchObject({
        model: 'for-development',
        provider: 'another',
      })
      await bench.run(issue, 'analysis')
      expect(lastSpec().argv).toContain('--model=for-all')
      expect((await bench.sessions(issue)).at(-1)).toMatchObject({ model: 'for-all', provider: null })
    })
  })

  it('may be another CLI in one phase', async () => {
    await under([['project', 'AGENT_ADAPTER_DEVELOPMENT', 'fake']], async () => {
      const development = await bench.run(issue, 'development')
      const analysis = await bench.run(issue, 'analysis')
      expect([development.row.adapter, analysis.row.adapter]).toEqual(['fake', 'demo'])
    })
  })
})

describe('other settings', () => {
  it('name what is begun from then on', async () => {
    const other = await under([['organization', 'BRANCH_PREFIX', 'robots/']], () => bench.newIssue('demo'))
    const [session] = await bench.sessions(other)
    expect(session?.sessionName).toBe(`robots/issue-${other.iid}-add-a-slug-helper`)
  })

  it('let the development follow the plan without anybody who validates it', async () => {
    await under([['project', 'REQUIRE_PLAN_VALIDATION', false]], async () => {
      const other = await bench.newIssue('demo')
      const phases = await bench.until(async () => {
        const input = { mailboxId: other.mailboxId, beforeRunId: null, limit: 10 }
        const { rows } = value(await bench.client.call('sessions', 'timeline', input))
        return rows.length > 1 ? rows.map(({ phase }) => phase) : null
      })
      expect(phases).toEqual(['analysis', 'development'])
    })
  })

  it('keep a run waiting while as many are live as may be', async () => {
    const other = await bench.newIssue('demo')
    await under([['app', 'MAX_RUNS', 1]], async () => {
      bench.play(issue, { hangs: 'told' })
      const live = await bench.request(issue, 'development')
      await bench.telling(live)
      const queued = await bench.request(other, 'development')
      expect(await nowOf(other)).toMatchObject({ kind: 'queued', reason: 'slot' })
      value(await bench.client.call('runs', 'stop', { runId: live }))
      expect((await bench.ended(queued)).row.outcome).toBe('succeeded')
    })
    await bench.setting(issue, 'app', 'MAX_RUNS', 16)
  })
})

describe('login files of this computer', () => {
  const key = 'AGENT_CREDENTIAL_MOUNTS'
  const mounts = ['demo=/somewhere/login.json:/home/agent/login.json']
  const mounted = expect.objectContaining({
    source: '/somewhere/login.json',
    target: '/home/agent/login.json',
    readOnly: true,
  }) as unknown
  const inStore = <T>(work: (db: ReturnType<typeof openEngineDatabase>) => T): T => {
    const db = openEngineDatabase(bench.folder)
    try {
      return work(db)
    } finally {
      db.close()
    }
  }

  it('are given to the runs of the CLI to be read only, once a person has agreed, which is written down', async () => {
    await under([['organization', key, mounts]], () => bench.run(issue, 'development'))
    expect(lastSpec().mounts).toContainEqual(mounted)
    const audited = inStore((db) =>
      db.prepare("SELECT who, detail FROM audit WHERE what = 'credential mounts agreed to'").all(),
    )
    expect(audited).toEqual([{ who: 'person', detail: expect.stringContaining(JSON.stringify(mounts)) }])
  })

  it('are not given without that: nothing is stored', async () => {
    const place = { scope: 'project', scopeId: issue.projectId } as const
    const asked = await bench.client.call('settings', 'set', { ...place, key, value: mounts })
    expect(asked.ok ? null : asked.error.type).toBe('consent_needed')
    await bench.run(issue, 'development')
    expect(lastSpec().mounts).not.toContainEqual(mounted)
  })

  it('are left out where an older app stored them unasked, which the run says, until a person agrees', async () => {
    inStore((db) =>
      createStore(db, createSystemRandomness()).settings.set('project', issue.projectId, key, mounts, 1),
    )
    const without = await bench.run(issue, 'development')
    expect(without.row.outcome).toBe('succeeded')
    expect(without.sandbox?.credentials).toBe(
      'none. Not mounted, since nobody has agreed to it yet (AGENT_CREDENTIAL_MOUNTS): /somewhere/login.json',
    )
    expect(lastSpec().mounts).not.toContainEqual(mounted)

    const given = await under([['project', key, mounts]], () => bench.run(issue, 'development'))
    expect(given.sandbox?.credentials).toContain('/somewhere/login.json (read-only): the agent can read')
    expect(lastSpec().mounts).toContainEqual(mounted)
  })
})

describe('the budget of a run', () => {
  it('ends it once it is known to have cost that much, and keeps its session', async () => {
    const run = await under([['project', 'RUN_BUDGET_USD', 1]], async () => {
      bench.play(issue, { fresh: costing(1.5, false), resumed: costing(1.5, false), hangs: 'said' })
      return bench.run(issue, 'development', 'fresh')
    })
    expect(run.row).toMatchObject({ outcome: 'failed', costUsd: 1.5 })
    expect(run.failure).toEqual({
      type: 'budget_used',
      message: 'The run has cost $1.50; its budget is $1.00 (RUN_BUDGET_USD).',
    })
    expect(run.row.nativeSessionId).not.toBeNull()
  })

  it('takes nothing from a run whose agent was done when it told its cost, or that cost less', async () => {
    await under([['project', 'RUN_BUDGET_USD', 1]], async () => {
      bench.play(issue, { resumed: costing(1.5) })
      expect((await bench.run(issue, 'development')).row).toMatchObject({
        outcome: 'succeeded',
        costUsd: 1.5,
      })
      bench.play(issue, { resumed: costing(0.5) })
      expect((await bench.run(issue, 'development')).row.outcome).toBe('succeeded')
    })
  })
})

describe('the budget of a day', () => {
  it('lets no new run begin once its scope has spent it, says so, and goes on when it is raised', async () => {
    const inOther = await bench.newIssue('fake')
    const end = await under([['app', 'DAY_BUDGET_USD', 1000]], async () => {
      bench.play(issue, { resumed: costing(2) })
      await bench.run(issue, 'development')
      bench.play(issue, {})
      return under([['project', 'DAY_BUDGET_USD', 1.5]], async () => {
        const waiting = await bench.request(issue, 'development')
        await bench.until(async () => {
          const now = await nowOf(issue)
          return now?.kind === 'queued' && now.reason === 'budget' ? true : null
        })
        // Another project has spent nothing of its own, and the app has more.
        expect((await bench.run(inOther, 'development')).row.outcome).toBe('succeeded')
        expect(await nowOf(issue)).toMatchObject({ kind: 'queued', reason: 'budget' })
        await bench.setting(issue, 'project', 'DAY_BUDGET_USD', 500)
        return bench.ended(waiting)
      })
    })
    expect(end.row.outcome).toBe('succeeded')
  })

  it('is told once a day, from four fifths of it on', async () => {
    bench.play(issue, { resumed: costing(10) })
    await bench.run(issue, 'development')
    bench.play(issue, {})
    expect(await told()).toEqual([])
    const spent = value(await bench.client.call('app', 'status', {})).costTodayUsd
    await under([['app', 'DAY_BUDGET_USD', Math.ceil(spent * 1.1)]], async () => {
      await bench.run(issue, 'development')
      await bench.run(issue, 'development')
    })
    expect(await told()).toEqual([expect.stringMatching(/^[89]\d % of today's \$\d+\.00 is used$/)])
  })
})

const told = async (): Promise<readonly string[]> => {
  const rows = value(await bench.client.call('app', 'notifications', { limit: 200 }))
  return rows.filter(({ kind }) => kind === 'budget').map(({ title }) => title)
}
