import type { FaultGroup } from './fault'

const refused =
  'The result of this run was not accepted. Its git bundle failed the check. Nothing was pushed. Read the reason, then retry.'

const after = {
  run: 'result_refused',
  failure: 'bundle_refused',
  also: "the run's copy of the bundle is kept; no object of it is in the repository",
} as const

export const bundleFaults: FaultGroup = {
  title: 'The commits that come back',
  faults: [
    {
      id: 'bundle-other-refs',
      fault: 'The bundle holds refs outside the branch',
      produced: 'the bundle is replaced before it is taken in by one of the branch, main and a tag',
      words: [refused, 'it holds something other than the branch agent/issue-…'],
      after,
    },
    {
      id: 'bundle-unrelated-history',
      fault: "The bundle holds a history that does not go on from the run's base",
      produced: 'the bundle is replaced before it is taken in by one of a branch without a common commit',
      words: [refused, 'its commits do not go on from the commit that the run began with'],
      after,
    },
    {
      id: 'bundle-thousands-of-refs',
      fault: 'The bundle holds thousands of refs',
      produced: 'the bundle is replaced before it is taken in by one of 5,000 branches',
      words: [refused, 'it holds something other than the branch agent/issue-…'],
      after,
    },
    {
      id: 'bundle-broken-objects',
      fault: 'The bundle holds broken objects',
      produced: 'a byte of its pack is changed before it is taken in',
      words: [refused, 'git cannot unpack it'],
      after,
    },
    {
      id: 'bundle-harmful-tree',
      fault: 'A commit holds a folder named .git',
      produced: 'the agent writes the tree by hand (hash-object --literally) and commits it',
      words: [refused, 'git found a harmful or broken object in it'],
      after,
    },
    {
      id: 'bundle-missing',
      fault: 'The work cannot be collected',
      produced: 'the agent removes the .git of its workspace after its commit',
      words: [refused, 'The work could not be collected; it lies in the workspace.'],
      after: {
        run: 'result_refused',
        failure: 'bundle_refused',
        also: 'the file that the agent wrote is still in the workspace',
      },
    },
  ],
}
