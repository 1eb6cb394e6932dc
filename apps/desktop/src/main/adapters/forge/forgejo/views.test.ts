import { expect, it } from 'vitest'
import { assertPresent } from '@shared/assert'
import { readRecordedScene } from '../../../../../test/fixtures/forge-recordings'
import { pullSchema } from './parsers'
import { sourceBranchOf } from './views'

/*
 * Whose branch a change comes from: anybody may name a branch of their fork as Alfred names his.
 */

const pulls = (server: 'gitea' | 'forgejo', n: number) => {
  const { exchanges } = readRecordedScene(server, '13-pull-open', { base: 'https://forge.example' })
  const answer = assertPresent(exchanges.find((one) => one.n === n)?.response, `exchange ${n} was recorded`)
  return answer.body as { readonly head: { readonly label: string; readonly ref: string } }
}

const alfreds = 'alfred/issue-27-open'

it.each([
  ['gitea', 2, 'of the repository itself', alfreds],
  ['gitea', 42, "of a stranger's fork", null],
  ['gitea', 43, 'of a fork that is gone', null],
  ['forgejo', 2, 'of the repository itself', alfreds],
  ['forgejo', 42, "of a stranger's fork", null],
  ['forgejo', 43, 'of a fork that is gone', null],
] as const)('%s %d: a branch %s is %s, though it has the name', (server, n, _whose, branch) => {
  const recorded = pulls(server, n)
  const named = { ...recorded, head: { ...recorded.head, label: alfreds, ref: alfreds } }
  expect(sourceBranchOf(pullSchema.parse(named))).toBe(branch)
})

it.each(['gitea', 'forgejo'] as const)('%s: as it was recorded, a fork is not the repository', (server) => {
  expect(sourceBranchOf(pullSchema.parse(pulls(server, 42)))).toBeNull()
})
