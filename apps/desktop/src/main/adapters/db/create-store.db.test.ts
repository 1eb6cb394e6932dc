import Database from 'better-sqlite3'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '@main/ports/stores'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { seedStore } from '../../../../test/fakes/seed-store'
import { createSystemRandomness } from '../system/system-randomness'
import { createStore } from './create-store'
import { findNativeBinding } from './native-binding'

const nativeBinding = findNativeBinding(process.env, undefined)

let test: TestStore
let store: Store

beforeEach(() => {
  test = openTestStore()
  store = test.store
})
afterEach(() => {
  test.remove()
})

describe('the store', () => {
  it('has an id of its own that stays', () => {
    expect(store.installId()).toMatch(/^[0-9a-f-]{36}$/)
    expect(createStore(test.db, createSystemRandomness()).installId()).toBe(store.installId())
  })

  it('copies itself whole, for this user only', () => {
    seedMailbox(store)
    const file = join(test.folder, 'copy.db')
    store.backup(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const copy = new Database(file, { readonly: true, ...(nativeBinding && { nativeBinding }) })
    expect(copy.prepare('SELECT title FROM mailboxes').pluck().all()).toEqual(['Issue 1'])
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
    copy.close()
  })

  it('knows its size', () => {
    expect(store.sizeBytes()).toBeGreaterThan(10_000)
  })

  it('can be filled with a history of any length', () => {
    const seeded = seedStore(store, { mailboxes: 40, runs: 100, attempts: 2, events: 250, live: 3 })
    const count = (table: string): unknown => test.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
    expect(['mailboxes', 'runs', 'llm_sessions', 'run_events'].map(count)).toEqual([40, 103, 200, 250])
    expect(store.runs.get(seeded.lastRunId).state).toBe('ended')
    expect(store.runs.countLive()).toEqual({ running: 2, queued: 1 })
  })
})

describe('forges and projects', () => {
  it('are found by what names them', () => {
    const forge = store.forges.addForge(
      {
        kind: 'forgejo',
        name: 'ours',
        baseUrl: 'https://forge',
        caFile: '/ca.pem',
        accountId: '7',
        accountLogin: 'alfred',
      },
      1,
    )
    const organization = store.forges.addOrganization(forge.id, 'harbour', 1)
    const place = { organizationId: organization.id, defaultBranch: 'main', isDemo: true, isWatched: true }
    const project = store.forges.addProject({ ...place, slug: 'pier' }, 1)
    expect(project).toEqual({ ...place, id: project.id, forgeId: forge.id, slug: 'pier' })
    expect(store.forges.getForge(forge.id)).toEqual(forge)
    expect(store.forges.findForgeByKind('forgejo')).toEqual(forge)
    expect(store.forges.findForgeByKind('github')).toBeNull()
    expect(store.forges.findOrganization(forge.id, 'harbour')).toEqual(organization)
    expect(store.forges.findProject(organization.id, 'pier')).toEqual(project)
    expect(store.forges.findProject(organization.id, 'quay')).toBeNull()
    store.forges.setWatched(project.id, false)
    expect(store.forges.listProjects()).toEqual([{ ...project, isWatched: false }])
  })

  it.each(['../evil', 'Upper', '', '-x', 'a/b', 'a b', 'ü', '.'])(
    'have no slug that is unsafe in a path: %j',
    (slug) => {
      const forge = store.forges.addForge(
        { kind: 'local', name: 'l', baseUrl: 'local:', caFile: null, accountId: '1', accountLogin: 'a' },
        1,
      )
      expect(() => store.forges.addOrganization(forge.id, slug, 1)).toThrow('CHECK')
    },
  )

  it('of another forge keep what they are called there, and go with it', () => {
    const { forges } = store
    const forge = forges.addForge(
      {
        kind: 'gitea',
        name: 'git.example.org',
        baseUrl: 'https://git.example.org',
        caFile: null,
        accountId: '2',
        accountLogin: 'alfred-bot',
      },
      1,
    )
    const organization = forges.addOrganization(forge.id, 'acme-shop', 1)
    const place = { organizationId: organization.id, slug: 'till', defaultBranch: 'main', isDemo: false }
    const project = forges.addProject({ ...place, isWatched: false }, 1)
    expect(forges.placeOf(project.id)).toBeNull()
    forges.setPlace(project.id, { path: 'Acme.Shop/Till', remoteId: '17' })
    forges.setPlace(project.id, { path: 'Acme.Shop/Quay', remoteId: '17' })
    expect(forges.placeOf(project.id)).toEqual({ path: 'Acme.Shop/Quay', remoteId: '17' })
    const found = { kind: 'forgejo', caFile: '/ca.pem', accountId: '3', accountLogin: 'bot' } as const
    forges.updateForge(forge.id, found)
    expect(forges.getForge(forge.id)).toMatchObject(found)
    forges.removeForge(forge.id)
    expect(forges.listProjects()).toEqual([])
    expect(forges.placeOf(project.id)).toBeNull()
  })

  it('never give an id of a project out again', () => {
    seedMailbox(store)
    const [project] = store.forges.listProjects()
    if (project === undefined) throw new Error('no project')
    store.forges.removeProject(project.id)
    seedMailbox(store)
    expect(store.forges.listProjects()[0]?.id).toBeGreaterThan(project.id)
  })
})

describe('settings', () => {
  it('are kept per scope, the last value counts, and a reset forgets', () => {
    store.settings.set('app', 0, 'RUN_CPUS', 2, 1)
    store.settings.set('project', 3, 'TRUSTED_PEOPLE', ['7'], 1)
    store.settings.set('app', 0, 'RUN_CPUS', null, 2)
    expect(store.settings.list()).toEqual([
      { scope: 'app', scopeId: 0, key: 'RUN_CPUS', value: null, agreedAt: null },
      { scope: 'project', scopeId: 3, key: 'TRUSTED_PEOPLE', value: ['7'], agreedAt: null },
    ])
    store.settings.reset('app', 0, 'RUN_CPUS')
    expect(store.settings.list()).toHaveLength(1)
  })

  it('were agreed to when the last value was, or by nobody', () => {
    const agreedAt = () => store.settings.list().map((row) => row.agreedAt)
    store.settings.set('project', 3, 'AGENT_RUNNER', 'host', 5, 4)
    expect(agreedAt()).toEqual([4])
    store.settings.set('project', 3, 'AGENT_RUNNER', 'container', 6)
    expect(agreedAt()).toEqual([null])
  })
})

describe('the lock of a mailbox', () => {
  it('has one run at a time as its owner, which alone releases it', () => {
    const mailbox = seedMailbox(store)
    const { runId: ended } = seedEndedRun(store, mailbox)
    const { id } = seedRun(store, mailbox)
    expect([
      store.locks.take(mailbox, id, 5),
      store.locks.take(mailbox, id, 6),
      store.locks.take(mailbox, ended, 7),
    ]).toEqual([true, true, false])
    store.locks.setContainer(mailbox, 'alfred-1')
    store.locks.release(mailbox, ended)
    expect(store.locks.list()).toEqual([
      { mailboxId: mailbox, runId: id, containerName: 'alfred-1', since: 5 },
    ])
    store.locks.release(mailbox, id)
    expect(store.locks.find(mailbox)).toBeNull()
    expect(store.locks.take(mailbox, ended, 9)).toBe(true)
  })
})

describe('installations and images', () => {
  it('are replaced by what was found later', () => {
    const found = {
      adapter: 'demo',
      runner: 'container',
      imageDigest: 'sha256:1',
      version: '1.0',
      resumable: true,
      reason: null,
      loginState: 'not_needed',
      detectedAt: 1,
    } as const
    store.installations.put(found)
    store.installations.put({ ...found, version: null, resumable: false, reason: 'not found', detectedAt: 2 })
    expect(store.installations.list()).toEqual([
      { ...found, version: null, resumable: false, reason: 'not found', detectedAt: 2 },
    ])
    expect(store.installations.find('demo', 'host', '')).toBeNull()

    const proof = { outcome: 'refused', message: 'no', tookMs: 5, costUsd: null, askedAt: 3 } as const
    expect(store.installations.findProof('demo', 'sha256:1')).toBeNull()
    store.installations.putProof('demo', 'sha256:1', proof)
    const later = { outcome: 'answered', message: null, tookMs: 1200.4, costUsd: 0.0004, askedAt: 4 } as const
    store.installations.putProof('demo', 'sha256:1', later)
    expect(store.installations.findProof('demo', 'sha256:1')).toEqual({ ...later, tookMs: 1200 })
    expect(store.installations.findProof('demo', 'sha256:2')).toBeNull()

    const image = {
      digest: 'sha256:1',
      tag: 'alfred/agent',
      base: 'node:24',
      agents: ['demo', 'fake'],
      sizeBytes: null,
      recipeSha256: 'r',
      builtAt: 1,
    } as const
    store.images.put(image)
    store.images.put({ ...image, digest: 'sha256:2', builtAt: 2 })
    store.images.put({ ...image, sizeBytes: 5 })
    expect(store.images.findByRecipe('r')?.digest).toBe('sha256:2')
    store.images.remove('sha256:2')
    expect(store.images.list()).toEqual([{ ...image, sizeBytes: 5 }])
  })
})

describe('plans, cursors, notifications and audit', () => {
  it('keep the latest plan and every approval', () => {
    const mailboxId = seedMailbox(store)
    const { runId } = seedEndedRun(store, mailboxId)
    const plan = { mailboxId, runId, functionalAnalysis: null, plan: 'Do it', issueSha256: 'a', createdAt: 1 }
    store.plans.put(plan)
    store.plans.put({ ...plan, plan: 'Do it better', functionalAnalysis: 'Why' })
    expect(store.plans.find(mailboxId)).toEqual({ ...plan, plan: 'Do it better', functionalAnalysis: 'Why' })
    expect(store.plans.latestApproval(mailboxId)).toBeNull()
    const approval = {
      mailboxId,
      planSha256: 'p',
      titleSha256: 't',
      bodySha256: 'b',
      personId: '7',
      labelEvent: '1',
      approvedAt: 1,
    }
    store.plans.approve(approval)
    store.plans.approve({ ...approval, labelEvent: '2', approvedAt: 2 })
    expect(store.plans.latestApproval(mailboxId)).toEqual({ ...approval, labelEvent: '2', approvedAt: 2 })
  })

  it('remember how far a forge was read', () => {
    seedMailbox(store)
    const [project] = store.forges.listProjects()
    if (project === undefined) throw new Error('no project')
    expect(store.cursors.get(project.forgeId, project.id, 'issues')).toBeNull()
    store.cursors.set(project.forgeId, project.id, 'issues', '5', 1)
    store.cursors.set(project.forgeId, project.id, 'issues', '6', 2)
    expect(store.cursors.get(project.forgeId, project.id, 'issues')).toBe('6')
  })

  it('keep what was told, latest first, and when it was seen', () => {
    const setting = { key: 'DAY_BUDGET_USD', scope: 'app', scopeId: 0 } as const
    const add = (title: string, at: number) =>
      store.notifications.add(
        { kind: 'needs-you', title, body: 'b', mailboxId: null, runId: null, setting },
        at,
      )
    const first = add('one', 1)
    const second = add('two', 2)
    store.notifications.markClicked(first.id, 5)
    store.notifications.markAllRead(9)
    expect(store.notifications.list(10)).toEqual([
      { ...second, clickedAt: null, readAt: 9 },
      { ...first, clickedAt: 5, readAt: 5 },
    ])
    expect(store.notifications.list(1)).toHaveLength(1)
  })

  it('keep who did what, also after its mailbox is gone', () => {
    const mailboxId = seedMailbox(store)
    store.audit.add({
      at: 1,
      who: 'mia',
      what: 'run_stopped',
      mailboxId,
      runId: null,
      detail: { why: 'asked' },
    })
    store.forges.removeProject(store.mailboxes.get(mailboxId).projectId)
    expect(test.db.prepare('SELECT who, mailbox_id, detail FROM audit').all()).toEqual([
      { who: 'mia', mailbox_id: mailboxId, detail: '{"why":"asked"}' },
    ])
  })
})
