import { expect, it } from 'vitest'
import { openTestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { lookAgainForLogin } from './look-again-for-login'

it('runs that wait for this login are due now, and no others', () => {
  const opened = openTestStore()
  try {
    const { store } = opened
    const waiting = (iid: number, adapter: 'codex' | 'claude-code', type: string) => {
      const { id } = seedRun(store, seedMailbox(store, iid), { adapter })
      const error = JSON.stringify({ type, message: 'x' })
      store.runs.update(id, { state: 'queued', nextAttemptAt: 900, error })
      return id
    }
    const ids = [
      waiting(1, 'codex', 'login_missing'),
      waiting(2, 'codex', 'account_limit'),
      waiting(3, 'claude-code', 'login_missing'),
    ]
    lookAgainForLogin(store, { now: () => 500 }, 'codex')
    expect(ids.map((id) => store.runs.get(id).nextAttemptAt)).toEqual([500, 900, 900])
  } finally {
    opened.remove()
  }
})
