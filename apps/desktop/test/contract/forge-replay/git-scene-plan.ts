import { openPull } from '../../fakes/forge-server/acts/open-pull'
import { refusalsOf } from '../../fakes/forge-server/answer'
import type { Act, ScenePlan } from './replay-scene'
import { all, push } from './unrecorded-acts'

/*
 * Scene 12: what was committed between the recorded git commands, and how the repositories stood.
 */

const path = 'acme/push'
const branch = 'alfred/issue-1-search-box'

const commit =
  (message: string): Act =>
  (_, copies) =>
    copies.commit(message)

const openForBranch: Act = async (forge) => {
  const { state, git, traits, seed } = forge
  await openPull({ state, git, traits, refuse: refusalsOf(traits, forge.url) }, seed.find(path), {
    title: 'Search box',
    body: '',
    head: branch,
    base: 'main',
    author: seed.person('alfred-bot'),
    labelIds: [],
    assignees: [],
  })
}

export const gitScenePlan: ScenePlan = {
  hasWorld: true,
  playsGit: true,
  past: async ({ seed, state }) => {
    await seed.repository(path, { by: 'alfred-bot' })
    await seed.repository('acme/git-old-name', { by: 'alfred-bot' })
    await seed.repository('acme/late', { id: 19, files: null })
    await seed.repository('acme/fresh', { id: 20, files: null })
    seed.rename('acme/git-old-name', 'git-new-name')
    const revoked = seed.token('alfred-bot', ['all'], 'revoked')
    for (const token of state.tokens) if (token.secret === revoked) token.isRevoked = true
  },
  before: {
    19: commit('search box'),
    21: commit('more'),
    28: all(openForBranch, commit('even more')),
    29: all(push(path, branch, { 'person.txt': 'mine\n' }, 'by a person', 'dev'), commit('meanwhile')),
    34: async (_, copies) => {
      await copies.run(['merge', '--quiet', '-m', 'merge', 'FETCH_HEAD'], '')
    },
    38: commit('for a ref that is nobody else'),
    41: ({ seed }) => seed.protect(path, { rule: 'main' }),
    58: (forge) => {
      forge.branchDelayMs = Number.POSITIVE_INFINITY
    },
    63: all(async (forge) => {
      await forge.seed.tellBranches('acme/late')
      forge.branchDelayMs = 0
    }, commit('late')),
  },
  left: {
    43: 'signatures are not modelled',
    44: 'protected files are not modelled',
    55: 'asks with a setting of git that the recording does not show',
  },
}
