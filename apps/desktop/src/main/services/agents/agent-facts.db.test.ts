import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId } from '@shared/model/ids'
import { err, ok } from '@shared/result'
import { createAgentHistory } from '@main/adapters/db/agent-history'
import { createDisk } from '@main/adapters/disk/disk'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun, seedSession } from '../../../../test/fakes/seed-mailbox'
import { createDataPaths } from '../runs/data-paths'
import { createSettingReader } from '../settings/setting-values'
import { createAgentFacts } from './agent-facts'

let opened: TestStore
let first: MailboxId
beforeEach(() => {
  opened = openTestStore()
  first = seedMailbox(opened.store)
})
afterEach(() => opened.remove())

const image = (digest: string, base: string, sizeBytes: number | null) => ({
  digest,
  tag: `alfred-agent:${digest}`,
  base,
  agents: ['demo' as const],
  sizeBytes,
  recipeSha256: digest,
  builtAt: 1,
})

/** Images by the base that they stand on; without one Docker does not answer. */
const facts = (found: Readonly<Record<string, string>> | null = {}) =>
  createAgentFacts({
    store: opened.store,
    settings: createSettingReader(opened.store),
    builder: {
      find: (base) => {
        if (found === null)
          return Promise.resolve(err({ type: 'docker_unreachable', message: 'It does not answer.' }))
        const digest = found[base ?? 'ours']
        return Promise.resolve(
          ok(digest === undefined ? null : { ...image(digest, base ?? 'ours', 1), sizeBytes: 1 }),
        )
      },
    },
    past: createAgentHistory(opened.db),
    disk: createDisk(),
    paths: createDataPaths(opened.folder),
    forgetGoneImages: async () => undefined,
  })

describe('the last runs of an agent', () => {
  it('are counted by what they remembered, the most frequent first, and nobody else is among them', async () => {
    seedEndedRun(opened.store, first, { mode: 'fresh', resumeFallback: 'no_prior_session' })
    for (let run = 0; run < 3; run += 1)
      seedEndedRun(opened.store, first, { mode: 'resume', resumed: true, nativeSessionId: 'a' })
    seedEndedRun(opened.store, first, { mode: 'resume', resumeFallback: 'refused' })
    seedEndedRun(opened.store, first, { adapter: 'codex', mode: 'none', sessionName: null })
    seedSession(opened.store, seedRun(opened.store, first), { mode: 'fresh' })
    expect((await facts().history('demo')).lastRuns).toEqual([
      { badge: 'resumed', runs: 3 },
      { badge: 'refused', runs: 1 },
      { badge: 'no_prior_session', runs: 1 },
    ])
    expect((await facts().history('codex')).lastRuns).toEqual([{ badge: 'none', runs: 1 }])
    expect((await facts().history('opencode')).lastRuns).toEqual([])
  })

  it('are fifty at most, the newest ones, without those that only brought a session in', async () => {
    for (let run = 0; run < 4; run += 1)
      seedEndedRun(opened.store, first, { mode: 'resume', resumeFallback: 'state_missing' })
    for (let run = 0; run < 49; run += 1) seedEndedRun(opened.store, first, { mode: 'resume', resumed: true })
    const imported = seedRun(opened.store, first, { trigger: 'import' })
    opened.store.runs.update(imported.id, { state: 'ended', outcome: 'succeeded' })
    expect((await facts().history('demo')).lastRuns).toEqual([
      { badge: 'resumed', runs: 49 },
      { badge: 'state_missing', runs: 1 },
    ])
  })
})

describe('the sessions of an agent', () => {
  it('are told with their size on the disk and of how many issues they are', async () => {
    const second = seedMailbox(opened.store, 2)
    const cleanedUp = seedMailbox(opened.store, 3)
    for (const mailboxId of [first, second, cleanedUp])
      seedEndedRun(opened.store, mailboxId, { nativeSessionId: 'a' })
    const { projectId } = opened.store.mailboxes.get(first)
    for (const [iid, adapter] of [
      [1, 'demo'],
      [2, 'demo'],
      [2, 'codex'],
    ] as const) {
      const folder = join(opened.folder, '.agent-sessions', `harbour-${projectId}-issue-${iid}`, adapter)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'a.jsonl'), 'x'.repeat(100_000))
    }
    const { sessions } = await facts().history('demo')
    expect(sessions).toMatchObject({ issues: 2, isComplete: true })
    expect(sessions.bytes).toBeGreaterThanOrEqual(200_000)
    expect(sessions.bytes).toBeLessThan(300_000)
    expect((await facts().history('codex')).sessions).toEqual({ bytes: 0, issues: 0, isComplete: true })
  })

  it('that are set aside are told with the one that another try would choose', async () => {
    const second = seedMailbox(opened.store, 2)
    seedEndedRun(opened.store, first, { nativeSessionId: 'lost' })
    const latest = seedEndedRun(opened.store, first, { nativeSessionId: 'lost' })
    seedEndedRun(opened.store, second, { nativeSessionId: 'lost' })
    opened.store.sessions.setAside(first, 'demo', 'lost', 'state_missing', 5)
    opened.store.sessions.setAside(second, 'demo', 'never-seen', 'refused', 6)
    opened.store.sessions.setAside(second, 'codex', 'lost', 'refused', 7)
    expect((await facts().history('demo')).setAside).toEqual([
      { mailboxId: second, iid: 2, nativeSessionId: 'never-seen', reason: 'refused', sessionId: null },
      { mailboxId: first, iid: 1, nativeSessionId: 'lost', reason: 'state_missing', sessionId: latest.id },
    ])
  })
})

describe('the images of agents', () => {
  beforeEach(() => {
    opened.store.images.put(image('sha256:1', 'ours', 1_900_000_000))
    opened.store.images.put(image('sha256:2', 'java:21', null))
  })
  const addProject = (slug: string): number => {
    const { organizationId } = opened.store.forges.listProjects()[0]!
    const place = { organizationId, slug, defaultBranch: 'main', isDemo: false, isWatched: true }
    return opened.store.forges.addProject(place, 1).id
  }

  it('tell how many projects run in them, as their settings are now', async () => {
    const other = addProject('other')
    opened.store.settings.set('project', addProject('java'), 'AGENT_IMAGE', 'java:21', 1)
    opened.store.settings.set('project', addProject('here'), 'AGENT_RUNNER', 'host', 1, 1)
    expect(await facts({ ours: 'sha256:1', 'java:21': 'sha256:2' }).images()).toEqual([
      {
        digest: 'sha256:1',
        tag: 'alfred-agent:sha256:1',
        base: 'ours',
        sizeBytes: 1_900_000_000,
        projects: 2,
      },
      { digest: 'sha256:2', tag: 'alfred-agent:sha256:2', base: 'java:21', sizeBytes: null, projects: 1 },
    ])
    opened.store.settings.set('project', other, 'AGENT_IMAGE', 'not-built:1', 1)
    expect((await facts({ ours: 'sha256:1' }).images()).map(({ projects }) => projects)).toEqual([1, 0])
  })

  it('say nothing of projects while Docker does not answer', async () => {
    expect((await facts(null).images()).map(({ projects }) => projects)).toEqual([null, null])
  })
})
