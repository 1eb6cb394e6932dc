import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox } from '../../../../test/fakes/seed-mailbox'
import type { RunContext } from './run-context'
import type { RunParts } from './run-parts'
import { lookAtStateAfter, settleSetAside } from './session-after-run'

let opened: TestStore
let mailboxId: ReturnType<typeof seedMailbox>
let context: RunContext
beforeEach(() => {
  opened = openTestStore()
  mailboxId = seedMailbox(opened.store)
  context = { mailbox: opened.store.mailboxes.get(mailboxId), adapter: { id: 'demo' } } as RunContext
})
afterEach(() => opened.remove())

const setAside = () => opened.store.sessions.findSetAside(mailboxId, 'demo', 'old-id')
const settle = (row: Parameters<typeof seedEndedRun>[2]): void =>
  settleSetAside(
    opened.store,
    context,
    seedEndedRun(opened.store, mailboxId, { requestedSessionId: 'old-id', ...row }),
    50,
  )

it('sets an id aside that was found missing twice, though no start tried it', () => {
  settle({ mode: 'fresh', resumeFallback: 'state_missing', nativeSessionId: null })
  expect(setAside()).toBeNull()
  settle({ mode: 'fresh', resumeFallback: 'state_missing', nativeSessionId: null })
  expect(setAside()).toBe('state_missing')
})

it('counts a start that tried it together with a look that did not find it', () => {
  settle({ mode: 'resume', resumeFallback: 'refused' })
  settle({ mode: 'fresh', resumeFallback: 'state_missing' })
  expect(setAside()).toBe('state_missing')
})

it('takes it back into use once it resumed', () => {
  settle({ mode: 'resume', resumeFallback: 'refused' })
  settle({ mode: 'resume', resumeFallback: 'refused' })
  settle({ mode: 'resume', resumed: true, nativeSessionId: 'old-id' })
  expect(setAside()).toBeNull()
})

it('takes an id that a person dropped back into use once it resumed, and not before', () => {
  opened.store.sessions.drop(mailboxId, 'demo', 'old-id', 5)
  settle({ mode: 'resume', resumeFallback: 'refused' })
  expect(opened.store.sessions.droppedAt(mailboxId, 'demo', 'old-id')).toBe(5)
  settle({ mode: 'resume', resumed: true, nativeSessionId: 'old-id' })
  expect(opened.store.sessions.droppedAt(mailboxId, 'demo', 'old-id')).toBeNull()
})

describe('a CLI that tells its id in its last line only', () => {
  const asked = '11111111-1111-4111-8111-111111111111'
  const lookAfter = (
    bytesAfter: number | null,
    seen: string | null,
    row: Parameters<typeof seedEndedRun>[2] = {},
  ) => {
    const asks = {
      mode: 'resume',
      requestedSessionId: asked,
      nativeSessionId: null,
      stateBytesBefore: 100,
    } as const
    const reads: number[] = []
    const parts = {
      states: {
        look: () => Promise.resolve({ preflight: 'ok', bytes: bytesAfter, savedAt: 1 }),
        linesBehind: (_folder: string, _file: string, from: number) => {
          reads.push(from)
          return Promise.resolve(['a', 'b'])
        },
      },
    } as unknown as RunParts
    const copilot = {
      run: { phase: 'development' },
      adapter: {
        id: 'copilot',
        sessionFile: (id: string) => `${id}.jsonl`,
        figuresInState: (lines: readonly string[]) => ({ inputTokens: lines.length }),
      },
      statePath: '/state',
    } as unknown as RunContext
    const session = seedEndedRun(opened.store, mailboxId, { ...asks, ...row })
    const after = lookAtStateAfter(parts, copilot, session, seen)
    return { patch: after.then(({ patch }) => patch), used: after.then(({ used }) => used), reads }
  }

  it('has resumed when the file of the asked session grew, also where that line never came', async () => {
    for (const seen of [null, asked]) {
      expect(await lookAfter(101, seen).patch).toMatchObject({ resumed: true, nativeSessionId: asked })
    }
  })

  it('has proven nothing while the file did not grow, whatever it tells', async () => {
    for (const seen of [null, asked]) {
      expect(await lookAfter(100, seen).patch).toMatchObject({ resumed: false })
      expect(await lookAfter(null, seen).patch).toMatchObject({ resumed: false })
    }
  })

  it('has proven nothing by another id, and a fallback is no resume', async () => {
    expect(await lookAfter(101, '22222222-2222-4222-8222-222222222222').patch).not.toHaveProperty('resumed')
    expect(await lookAfter(101, null, { resumeFallback: 'refused' }).patch).not.toHaveProperty('resumed')
  })

  it('is charged what it added to the file, not what was there before', async () => {
    const resumed = lookAfter(101, asked)
    expect(await resumed.used).toEqual({ nativeSessionId: asked, inputTokens: 2 })
    expect(resumed.reads).toEqual([100])
    const fresh = lookAfter(101, asked, { mode: 'fresh', requestedSessionId: null, stateBytesBefore: null })
    expect(await fresh.used).toMatchObject({ inputTokens: 2 })
    expect(fresh.reads).toEqual([0])
    expect(await lookAfter(100, asked).used).toEqual({ nativeSessionId: asked })
  })

  it('is charged in a later start of the attempt what that one added, and nothing where it added nothing', async () => {
    for (const mode of ['resume', 'fresh'] as const) {
      const begun = { mode, requestedSessionId: mode === 'resume' ? asked : null, stateBytesAfter: 150 }
      const later = lookAfter(170, asked, begun)
      expect(await later.used).toMatchObject({ inputTokens: 2 })
      expect(later.reads).toEqual([150])
      expect(await lookAfter(150, asked, begun).used).not.toHaveProperty('inputTokens')
    }
  })
})
