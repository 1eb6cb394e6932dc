import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { fakeScriptFile } from '@main/adapters/agents/fake/fake-agent-program'
import { createRunEventStore } from '@main/adapters/db/run-event-store'
import type { AroundPort } from '@main/boot/engine-options'
import { secretForms } from '@main/core/redact/secret-forms'
import type { Store } from '@main/ports/stores'
import type { RunId } from '@shared/model/ids'
import { containersOfRun, value } from '../support/engine-bench'
import { openEngineDatabase } from '../support/engine-database'
import {
  base64Of,
  commit,
  done,
  init,
  result,
  save,
  plantedSecret,
  secretInBurst,
  secretInEveryShape,
  secretVariable,
} from './agent-steps'
import { createFaultBench, expectAftermath, fault, git, type FaultBench } from './fault-bench'

let bench: FaultBench

/** What came in a burst stays packed, as it does for seconds: that it is laid out is no matter of luck here. */
const keepsPacked: AroundPort = (name, port) => {
  if (name !== 'store') return port
  const { events } = port as unknown as Store
  return { ...port, events: { ...events, unpackSome: () => false } }
}
beforeAll(async () => {
  process.env[secretVariable] = plantedSecret
  bench = await createFaultBench({ aroundPort: keepsPacked })
})
afterAll(async () => {
  delete process.env[secretVariable]
  await bench.remove()
})

describe('a secret that the agent got hold of', () => {
  fault('secret-printed', async (row) => {
    const { mailboxId, runId } = await bench.begin(
      ...secretInEveryShape,
      { shell: 'until [ -e /workspace/seen ]; do sleep 0.1; done; rm /workspace/seen' },
      commit,
      done,
    )
    await bench.until(async () =>
      (await bench.texts(runId, 'output')).some((text) => text.includes('standard error')) ? true : null,
    )
    const [container] = await containersOfRun(bench.client, runId)
    expectClean(
      'the container',
      execFileSync('docker', ['inspect', container?.id ?? ''], { encoding: 'utf8' }),
    )
    const live = value(
      await bench.client.call('runs', 'rawLog', { runId, stream: 'stdout', offset: 0, limit: 200_000 }),
    )
    expectClean('the log while the run lives', live?.text ?? '')
    const { mailboxIid } = value(await bench.client.call('runs', 'get', { runId }))
    writeFileSync(join(bench.folder, 'workspaces', `test-${bench.projectId}-issue-${mailboxIid}`, 'seen'), '')
    await expectAftermath(bench, row, await bench.see(mailboxId, await bench.ended(runId)))
    await expectNowhere()
  })

  fault('secret-in-burst', async (row) => {
    const seen = await bench.develop(secretInBurst, commit, done)
    await expectAftermath(bench, row, seen)
    expect(await expectNowhere()).toBeGreaterThan(0)
  })

  fault('secret-in-result', async (row) => {
    const told = JSON.stringify({
      version: 1,
      phase: 'analysis',
      outcome: 'done',
      plan: `Use ${plantedSecret}, that is ${base64Of(0)} or ${encodeURIComponent(plantedSecret)}.`,
      functional_analysis: `It needs ${plantedSecret}.`,
      summary: `Used ${plantedSecret}.`,
    })
    bench.script([init, save, result(told), done])
    const mailboxId = await bench.newIssue()
    const run = await bench.latest(mailboxId)
    const bodies = await commentsOnceSent(run.mailboxIid)
    await expectAftermath(bench, row, await bench.see(mailboxId, run))
    expect(bodies.find((body) => body.startsWith('## Plan'))).toContain('Use [redacted], that is [redacted]')
    await expectNowhere()
  })

  fault('secret-in-failure', async (row) => {
    const seen = await bench.analyse(
      { printError: `error: could not log in with ${plantedSecret}` },
      { exit: 1 },
    )
    await expectAftermath(bench, row, seen)
    const bodies = await commentsOnceSent(seen.run.mailboxIid)
    expect(bodies.find((body) => body.includes('did not succeed'))).toContain(
      'could not log in with [redacted]',
    )
    await expectNowhere()
  })

  fault('secret-in-commit', async (row) => {
    const seen = await bench.develop(
      {
        shell: `echo 'token: ${base64Of(1)}' > token.yml && git add token.yml && git commit -qm 'Add a token' &&
          git rm -q token.yml && echo x > a.txt && git add a.txt && git commit -qm 'Take it out'`,
      },
      done,
    )
    await expectAftermath(bench, row, seen)
    await expectNowhere()
  })

  fault('secret-in-refusal', async (row) => {
    const told = JSON.stringify({ version: 1, phase: 'development', outcome: 'done', [plantedSecret]: true })
    await expectAftermath(bench, row, await bench.develop(commit, result(told), done))
    await expectNowhere()
  })
})

async function commentsOnceSent(iid: number): Promise<readonly string[]> {
  await bench.until(async () =>
    value(await bench.client.call('app', 'status', {})).outboxWaiting === 0 ? true : null,
  )
  const issue = value(await bench.client.call('tracker', 'getIssue', { projectId: bench.projectId, iid }))
  return [issue.body, ...issue.commentList.map(({ body }) => body)]
}

/** Its first half counts too: a cut must not leave that either. */
const forms = [...secretForms([plantedSecret]), plantedSecret.slice(0, 7)]

function expectClean(place: string, text: string): void {
  expect(
    forms.filter((form) => text.includes(form)),
    `${place} holds the secret`,
  ).toEqual([])
}

/**
 * Everything of the data folder that is not the agent's own (workspaces, sessions) or packed by git, and all that was
 * said. Returns how many packs of events there were.
 */
async function expectNowhere(): Promise<number> {
  await bench.until(async () =>
    value(await bench.client.call('app', 'status', {})).outboxWaiting === 0 ? true : null,
  )
  for (const name of ['alfred.db', 'alfred.db-wal']) {
    const file = join(bench.folder, name)
    if (existsSync(file)) expectClean(name, readFileSync(file, 'utf8'))
  }
  for (const place of ['logs', 'runs', 'backups']) {
    for (const file of filesBelow(join(bench.folder, place)))
      if (!isTheAgents(file)) expectClean(file, readFileSync(file, 'utf8'))
  }
  const remote = join(bench.folder, 'local-forge', 'test', 'boat.git')
  expectClean('the remote', git(remote, ['log', '--all', '-p', '--text', '--format=%B%an%ae%d']))
  expectClean('the notifications', JSON.stringify(bench.shown))
  return expectCleanEvents()
}

/** What lies packed is no text in the file. */
function expectCleanEvents(): number {
  const db = openEngineDatabase(bench.folder, { readonly: true })
  try {
    const store = createRunEventStore(db)
    for (const runId of db.prepare('SELECT id FROM runs').pluck().all() as readonly RunId[])
      for (const { payload } of store.list(runId, 0, 100_000))
        expectCleanValues(`an event of run ${runId}`, payload)
    return Number(db.prepare('SELECT count(*) FROM packed_events').pluck().get())
  } finally {
    db.close()
  }
}

/** Texts as they are: JSON would write their quotes in another way. */
function expectCleanValues(place: string, value: unknown): void {
  if (typeof value === 'string') expectClean(place, value)
  else if (typeof value === 'object' && value !== null)
    for (const [key, field] of Object.entries(value)) {
      expectClean(place, key)
      expectCleanValues(place, field)
    }
}

/** Packed by git; or the agent's program, which is told here what to print. */
const isTheAgents = (file: string): boolean => file.endsWith('.bundle') || file.endsWith(fakeScriptFile)

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
