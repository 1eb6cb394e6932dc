import { expect, it } from 'vitest'
import { countAgentProblems } from './agent-problems'

type Login = Parameters<typeof countAgentProblems>[0][number]
const agent = (part: Partial<Login>): Login => ({
  adapter: 'codex',
  loginState: 'found',
  projectLogins: [],
  ...part,
})
const inPier = (loginState: Login['loginState']): Login['projectLogins'] => [
  { projects: 'harbour/pier', loginState, loginEndsAt: null },
]

it.each([
  ['is signed in', agent({}), 0],
  ['nobody can say it of', agent({ loginState: 'unknown' }), 0],
  ['has no login', agent({ loginState: 'missing' }), 1],
  ['has a login that has expired', agent({ loginState: 'expired' }), 1],
  ['is signed in, but not for a project', agent({ projectLogins: inPier('missing') }), 1],
  ['is signed in for the projects that use it', agent({ projectLogins: inPier('found') }), 0],
  ['is the api mode, which nobody uses', agent({ adapter: 'api', loginState: 'missing' }), 0],
  [
    'is the api mode without a key where a project uses it',
    agent({ adapter: 'api', projectLogins: inPier('missing') }),
    1,
  ],
])('an agent that %s: %#', (_what, row, problems) => {
  expect(countAgentProblems([row])).toBe(problems)
})
