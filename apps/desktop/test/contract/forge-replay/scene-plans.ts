import { gitScenePlan } from './git-scene-plan'
import type { Act, ScenePlan } from './replay-scene'
import {
  all,
  bareBranch,
  branches,
  close,
  closedPull,
  commentOn,
  issueNumbered,
  mergeMain,
  openedPull,
  push,
  status,
  takeLabelOff,
} from './unrecorded-acts'

/*
 * What the scenes need beside their own answers: acts of people that were left out when they were recorded.
 */

/** The archived repository has had its issue and a second branch. */
const oldWork: Act = async ({ seed }) => {
  seed.issue('acme/old', {
    title: 'An issue from before',
    body: 'text',
    by: 'dev',
    assignees: ['alfred-bot'],
  })
  await seed.commit('acme/old', 'feature', { 'x.txt': 'x\n' })
}

const life = 'acme/life'
const lifeBranch = 'alfred/issue-1-add-a-search-box'
const ci = 'https://ci.example'
const ciPath = 'acme/ci-status'

const forkPulls = Object.fromEntries(
  [40, 42, 43].map((n) => [
    n,
    'which units a fork has, and how it is shown within a change, is not modelled',
  ]),
)

/**
 * Played against the fake server. 32 has no request (`down`, `half` and a stopped server are what it describes), and 07,
 * 14, 15, 18, 21 and 23 hold the adapter's parsers and its mapping of errors, not this server.
 */
export const heldScenes: readonly string[] = [
  '01',
  '02',
  '03',
  '04',
  '05',
  '06',
  '08',
  '09',
  '10',
  '11',
  '12',
  '13',
  '16',
  '17',
  '19',
  '20',
  '22',
  '30',
  '31',
]

export const plans: Readonly<Record<string, ScenePlan>> = {
  '01': { hasWorld: true, past: oldWork },
  '02': {
    hasWorld: true,
    past: async (forge, copies) => {
      await oldWork(forge, copies)
      for (const name of ['shown-once', 'with-expiry']) forge.seed.token('alfred-bot', ['read:issue'], name)
    },
    before: {
      27: ({ state }) => {
        for (const token of state.tokens) if (token.name === 'revoked') token.isRevoked = true
      },
      79: ({ seed }) => {
        seed.person('suspended').refusal = 'prohibited'
      },
      81: ({ seed }) => {
        seed.person('suspended').refusal = 'inactive'
      },
      82: ({ seed }) => {
        seed.person('suspended').refusal = 'must_change_password'
      },
    },
  },
  '03': {
    hasWorld: true,
    before: {
      55: ({ seed }) => {
        // The answer shows it with the name that it gets now.
        seed.find('acme/second-name').name = 'first-name'
        seed.issue('acme/first-name', { title: 'An issue', by: 'dev' })
      },
      62: async ({ seed }) => {
        await seed.repository('dev/mover', { id: 10, files: null })
      },
    },
  },
  '04': {
    hasWorld: true,
    past: ({ seed }) => {
      seed.issue('acme/shop', { title: 'An issue for token tests', body: 'text', by: 'dev' })
    },
    before: { 3: commentOn('acme/list/1', 'dev') },
  },
  '05': {
    before: { 40: issueNumbered('acme/shop', 10, 'Something else') },
    left: { 42: 'dependencies are only set here; no adapter asks for them' },
  },
  '08': { before: { 23: commentOn('acme/shop/18', 'alfred-bot'), 44: close('acme/shop/18') } },
  '12': gitScenePlan,
  '13': {
    hasWorld: true,
    past: async (forge, copies) => {
      await closedPull('acme/shop', 'body-edit', 26)(forge, copies)
      await issueNumbered('acme/shop', 27, 'Search', ['alfred-bot'])(forge, copies)
      const names = ['alfred/issue-27-open', ...[2, 3, 4, 5, 6].map((number) => `open-${number}`)]
      await branches('acme/shop', names)(forge, copies)
      await bareBranch('acme/shop', 'no-change')(forge, copies)
    },
    left: forkPulls,
  },
  '11': {
    before: {
      1: branches('acme/branches', [
        'alfred/issue-1-search-box',
        'feature',
        'release/1.0',
        'with-space-less',
        'ümlaut',
      ]),
      20: ({ seed }) => {
        const statusContexts = ['ci/test', 'ci/lint*']
        seed.protect('acme/branches', { rule: 'main', requiredApprovals: 1, statusContexts })
        seed.protect('acme/branches', { rule: 'release/*' })
      },
      37: openedPull('acme/branches', 'with-pr', '', 1),
      43: branches('acme/trunk', ['topic']),
    },
    left: { 39: 'the branch is renamed by an admin; the repository has its new name from the beginning' },
  },
  '16': {
    past: async (forge, copies) => {
      const path = 'acme/closing'
      await forge.seed.repository(path, { id: 24, by: 'alfred-bot' })
      const past = [
        [1, 'Closed by a merge', ['alfred-bot'], 'usual', 'Closes #1'],
        [3, 'Closed by a squash', [], 'squashed', 'Fixes #3'],
        [5, 'Its pull request is closed without a merge', [], 'refused', 'Closes #5'],
      ] as const
      for (const [number, title, assignees, branch, body] of past) {
        await issueNumbered(path, number, title, assignees)(forge, copies)
        await openedPull(path, branch, body, number + 1)(forge, copies)
      }
    },
    before: {
      24: ({ seed }) => {
        seed.find('acme/closing').onlySquashes = true
      },
    },
    left: { 5: 'the merge commit is noted at the change by a queue, soon or a little later' },
  },
  '17': {
    before: {
      1: bareBranch(ciPath, 'none'),
      7: push(ciPath, 'main', { 'a.txt': 'a\n' }, 'a'),
      27: push(ciPath, 'main', { 'b.txt': 'b\n' }, 'b'),
      29: async (forge, copies) => {
        for (let index = 2; index < 35; index += 1) {
          const context = `ci/context-${String(index).padStart(2, '0')}`
          await status(ciPath, 'main', context, 'success', { url: `${ci}/${index}` })(forge, copies)
        }
      },
    },
    left: {
      6: 'a short hash is not the one of the commit here',
      26: 'an order that nobody promises',
      33: 'an order that nobody promises',
    },
  },
  '19': { hasWorld: true },
  '22': {
    before: {
      26: takeLabelOff('acme/life/1', 'status::waiting_validation', 'dev'),
      43: push(
        life,
        lifeBranch,
        { 'README.md': 'with search\n', 'search.txt': 'field\n' },
        'Add a search box\n\nRefs #1',
      ),
      52: status(life, lifeBranch, 'ci/test', 'pending', { url: `${ci}/1` }),
      53: status(life, lifeBranch, 'ci/test', 'failure', { url: `${ci}/1`, text: '1 test failed' }),
      54: push(life, lifeBranch, { 'search.txt': 'field, fixed\n' }, 'Fix the test'),
      56: status(life, lifeBranch, 'ci/test', 'success', { url: `${ci}/2` }),
      64: push(life, lifeBranch, { 'search.txt': 'query\n' }, 'Name it query'),
      66: all(
        commentOn('acme/life/2', 'dev'),
        push(life, 'main', { 'README.md': 'other words\n' }, 'Other words', 'dev'),
      ),
      67: mergeMain(life, lifeBranch),
      78: all(async (forge) => {
        const repository = forge.seed.find(life)
        await forge.git.git(repository.id, ['update-ref', '-d', `refs/heads/${lifeBranch}`])
        await forge.seed.tellBranches(life, 'alfred-bot')
      }),
    },
  },
  '30': {
    pageSizes: { standard: 3, largest: 5 },
    hasWorld: true,
    isAllOld: true,
    past: async (forge, copies) => {
      for (let index = 0; index < 7; index += 1) {
        await status('acme/list', 'main', `c${index}`, index === 0 ? 'failure' : 'success')(forge, copies)
      }
    },
  },
  '31': {
    subPath: '/git',
    rootUrl: 'http://forge.root.example/git',
    hasWorld: true,
    isAllOld: true,
    past: all(
      oldWork,
      issueNumbered('acme/shop', 2, 'Second', ['alfred-bot']),
      issueNumbered('acme/shop', 3, 'Third', ['alfred-bot']),
      branches('acme/shop', ['sub']),
    ),
    before: {
      11: ({ seed }) => seed.rename('acme/list', 'list2'),
    },
  },
}
