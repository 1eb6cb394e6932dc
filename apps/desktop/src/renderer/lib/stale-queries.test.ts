import { describe, expect, it } from 'vitest'
import type { ChangeEvent } from '@shared/contract/app'
import { isStaleBy } from './stale-queries'

const run = { type: 'run', runId: 431, mailboxId: 12 } as ChangeEvent
const held = (channel: string, input: Record<string, unknown> = {}) => ({ channel, input })

describe('isStaleBy', () => {
  it('asks again for the timeline, the header and the run itself when a run changed', () => {
    expect(isStaleBy(run, held('sessions.timeline', { mailboxId: 12, beforeRunId: null, limit: 100 }))).toBe(
      true,
    )
    expect(isStaleBy(run, held('mailboxes.get', { mailboxId: 12 }))).toBe(true)
    expect(isStaleBy(run, held('runs.get', { runId: 431 }))).toBe(true)
    expect(isStaleBy(run, held('mailboxes.counts'))).toBe(true)
  })

  it('leaves other mailboxes, other runs and the transcript, which has a stream of its own', () => {
    expect(isStaleBy(run, held('mailboxes.get', { mailboxId: 13 }))).toBe(false)
    expect(isStaleBy(run, held('runs.get', { runId: 430 }))).toBe(false)
    expect(isStaleBy(run, held('runs.events', { runId: 431, afterSeq: null }))).toBe(false)
  })

  it('asks again for what an agent did when an issue changed, not at each word of a run', () => {
    const ofAgent = held('app.agentHistory', { adapter: 'codex' })
    expect(isStaleBy({ type: 'mailbox', mailboxId: 12, projectId: 1 } as ChangeEvent, ofAgent)).toBe(true)
    expect(isStaleBy(run, ofAgent)).toBe(false)
  })

  it('asks again for the agents when settings or projects changed, whose logins and mounts they tell', () => {
    expect(isStaleBy({ type: 'settings' }, held('app.agents'))).toBe(true)
    expect(isStaleBy({ type: 'projects' }, held('app.agents'))).toBe(true)
    for (const type of ['settings', 'projects', 'agents'] as const)
      expect(isStaleBy({ type }, held('app.standIn', { adapter: 'codex' }))).toBe(true)
  })

  it('asks again for a mailbox when a setting changed, because sessions may be off now', () => {
    expect(isStaleBy({ type: 'settings' }, held('mailboxes.get', { mailboxId: 12 }))).toBe(true)
    expect(isStaleBy({ type: 'settings' }, held('runs.get', { runId: 431 }))).toBe(false)
  })
})
