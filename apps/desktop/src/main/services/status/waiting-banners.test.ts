import { expect, it } from 'vitest'
import type { Run } from '@shared/model/records'
import { waitingBanners } from './waiting-banners'

const run = (change: Partial<Run>, type: string | null = 'login_missing') =>
  ({
    state: 'queued',
    adapter: 'claude-code',
    nextAttemptAt: 9,
    error: type === null ? null : JSON.stringify({ type, message: 'x' }),
    ...change,
  }) as Run

it('says once per agent what its runs wait for, and until when the first does', () =>
  expect(
    waitingBanners([
      run({ nextAttemptAt: 12 }),
      run({}),
      run({ adapter: 'codex' }, 'account_limit'),
      run({ adapter: 'codex', nextAttemptAt: null }),
    ]),
  ).toEqual([
    { code: 'login_missing', severity: 'warn', facts: { adapter: 'claude-code', until: 9 } },
    { code: 'account_limit', severity: 'warn', facts: { adapter: 'codex', until: 9, freeAt: null } },
    { code: 'login_missing', severity: 'warn', facts: { adapter: 'codex', until: null } },
  ]))

it('says nothing of runs that work, wait for their turn or for something else', () =>
  expect(waitingBanners([run({ state: 'running' }), run({}, null), run({}, 'docker_unreachable')])).toEqual(
    [],
  ))

it('says until when an account is used up as its provider told last', () => {
  const used = (freeAt?: number) =>
    run({ error: JSON.stringify({ type: 'account_limit', message: 'x', freeAt }) })
  expect(waitingBanners([used(), used(70), used(80), used()])).toEqual([
    { code: 'account_limit', severity: 'warn', facts: { adapter: 'claude-code', until: 9, freeAt: 80 } },
  ])
})
