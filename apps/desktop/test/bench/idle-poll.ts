import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { environmentName } from '@main/adapters/secrets/create-secrets'
import type { Store } from '@main/ports/stores'
import { placeProject } from '@main/services/forges/place-project'
import { settingDefinitions } from '@shared/model/settings'
import { type ForgeServer, startForgeServer } from '../fakes/forge-server/forge-server'
import { makeHome } from './driven-app'
import { alone, atMost, type BenchRow } from './figures'
import { processorTimeOfTree } from './process-tree'

const projects = 20
/** Projects with an issue that is being worked on: there edits of comments count, which no look over all shows. */
const active = 3
/** Of these, the one whose issue has a change in review, with checks that are through. */
const inReview = 2
const interval = settingDefinitions.POLL_INTERVAL.fallback
const rounds = 3
const sampleMs = 200
/** Requests with less than this between them belong to one round. */
const roundGapMs = 5_000

/** `alfred watch` on a Forgejo where nothing happens: requests of a round, and processor time. */
export async function benchIdlePoll(app: string): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'alfred-bench-'))
  const forge = await startForgeServer({ kind: 'forgejo' })
  try {
    const home = join(folder, 'home')
    await seedForge(forge)
    makeHome(home, (store) => connect(store, forge))
    const { requests, processorPercent } = await watch(app, home, forge)
    return [
      atMost(
        `idle poll of ${projects} projects, ${active} active, one of them in review`,
        requests,
        'requests',
        3 + active,
      ),
      alone(`idle poll of ${projects} projects, CPU`, processorPercent, '%', 1),
    ]
  } finally {
    await forge.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const pathOf = (index: number): string => `acme/project-${index}`

async function seedForge(forge: ForgeServer): Promise<void> {
  forge.seed.user('alfred-bot')
  forge.seed.user('dev')
  forge.seed.organization('acme', { 'alfred-bot': 'write', dev: 'write' })
  for (let index = 0; index < projects; index += 1) {
    const path = pathOf(index)
    await forge.seed.repository(path)
    forge.seed.issue(path, { title: 'Nobody works on it', by: 'dev' })
    if (index >= active) continue
    const status = `status::${statusOf(index)}`
    forge.seed.label(path, status)
    forge.seed.issue(path, {
      title: 'Somebody is asked',
      by: 'dev',
      assignees: ['alfred-bot'],
      labels: [status],
    })
    if (index === inReview) await seedChange(forge, path)
  }
}

const statusOf = (index: number) => (index === inReview ? 'in_review' : 'waiting_info')

const branch = 'agent/issue-2-somebody-is-asked'

/** As Alfred opens it, with a check that is green. */
async function seedChange(forge: ForgeServer, path: string): Promise<void> {
  const head = await forge.seed.commit(path, branch, { 'a.txt': 'a\n' }, { by: 'alfred-bot', from: 'main' })
  const post = async (address: string, body: unknown): Promise<void> => {
    const answer = await fetch(`${forge.url}/api/v1/repos/${path}${address}`, {
      method: 'POST',
      headers: {
        authorization: `token ${forge.seed.token('alfred-bot')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`)
  }
  await post('/pulls', { head: branch, base: 'main', title: 'Asked', body: 'Closes #2' })
  await post(`/statuses/${head}`, { context: 'ci', state: 'success' })
}

/** What the screen Connect a forge would have stored, and the active issues. */
function connect(store: Store, forge: ForgeServer): void {
  const account = forge.seed.person('alfred-bot')
  const { id } = store.forges.addForge(
    {
      kind: 'forgejo',
      name: nameOf(forge),
      baseUrl: forge.url,
      caFile: null,
      accountId: String(account.id),
      accountLogin: account.login,
    },
    1,
  )
  for (let index = 0; index < projects; index += 1) {
    const path = pathOf(index)
    const remoteId = String(forge.seed.find(path).id)
    const found = { path, remoteId, defaultBranch: 'main', isPrivate: true, isEmpty: false, mayWrite: true }
    const project = placeProject(store.forges, id, { ...found, unfitBecause: null }, 1)
    if (index >= active) continue
    const mailbox = { projectId: project.id, kind: 'issue', iid: 2, title: 'Somebody is asked' } as const
    const change = index === inReview ? { branchName: branch, changeIid: 3 } : {}
    store.mailboxes.update(store.mailboxes.ensure(mailbox, 1).id, { status: statusOf(index), ...change }, 1)
  }
}

const nameOf = (forge: ForgeServer): string => new URL(forge.url).host

async function watch(
  app: string,
  home: string,
  forge: ForgeServer,
): Promise<{ readonly requests: number; readonly processorPercent: number }> {
  const child = spawn(process.execPath, [join(app, 'out', 'main', 'alfred.cjs'), 'watch'], {
    env: {
      ...process.env,
      ALFRED_HOME: home,
      ALFRED_APP_DIR: app,
      [environmentName(nameOf(forge))]: forge.seed.token('alfred-bot'),
    },
    stdio: 'ignore',
  })
  try {
    // The first round reads all projects whole; after the second they go together.
    await pause(2.5 * interval)
    const pid = child.pid ?? 0
    const usedBefore = processorTimeOfTree(pid)
    const begun = performance.now()
    const perRound = await requestsOfRounds(forge)
    const used = processorTimeOfTree(pid) - usedBefore
    if (child.exitCode !== null) throw new Error(`alfred watch ended with ${child.exitCode}`)
    const failed = forge.requests.filter(({ status }) => status >= 400)
    if (failed.length > 0) throw new Error(`the forge refused ${JSON.stringify(failed[0])}`)
    return {
      requests: Math.max(...perRound),
      processorPercent: (used / (performance.now() - begun)) * 100,
    }
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
}

/** How many requests each of so many rounds took. */
async function requestsOfRounds(forge: ForgeServer): Promise<readonly number[]> {
  const found: number[] = []
  let before = forge.requests.length
  let lastAt = 0
  const deadline = performance.now() + (rounds + 2) * interval
  while (found.length < rounds || performance.now() - lastAt < roundGapMs) {
    if (performance.now() > deadline) throw new Error(`only ${found.length} rounds were seen`)
    await pause(sampleMs)
    const now = forge.requests.length
    if (now === before) continue
    const isSameRound = performance.now() - lastAt < roundGapMs
    if (isSameRound) found.push((found.pop() ?? 0) + now - before)
    else found.push(now - before)
    lastAt = performance.now()
    before = now
  }
  return found
}
