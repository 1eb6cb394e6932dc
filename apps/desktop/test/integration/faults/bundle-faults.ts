import type { Fault, FaultGroup } from './fault'

const refused = (why: string): string =>
  `The result of this run was not accepted. Its git bundle failed the check: ${why}. Nothing was pushed. The work is kept in the workspace.`

const keptAside = "the run's copy of the bundle is kept; no object of it is in the repository"

const notAccepted = (
  head: Pick<Fault, 'id' | 'fault' | 'produced'>,
  why: string,
  also = keptAside,
): Fault => ({
  ...head,
  words: [refused(why)],
  after: { run: 'result_refused', failure: 'bundle_refused', also },
})

export const bundleFaults: FaultGroup = {
  title: 'The commits that come back',
  faults: [
    notAccepted(
      {
        id: 'bundle-other-refs',
        fault: 'The bundle holds refs outside the branch',
        produced: 'the bundle is replaced before it is taken in by one of the branch, main and a tag',
      },
      'it holds something other than the branch agent/issue-…',
    ),
    notAccepted(
      {
        id: 'bundle-unrelated-history',
        fault: "The bundle holds a history that does not go on from the run's base",
        produced: 'the bundle is replaced before it is taken in by one of a branch without a common commit',
      },
      'its commits do not go on from the commit that the run began with',
    ),
    notAccepted(
      {
        id: 'bundle-thousands-of-refs',
        fault: 'The bundle holds thousands of refs',
        produced: 'the bundle is replaced before it is taken in by one of 5,000 branches',
      },
      'it holds something other than the branch agent/issue-…',
    ),
    notAccepted(
      {
        id: 'bundle-broken-objects',
        fault: 'The bundle holds broken objects',
        produced: 'a byte of its pack is changed before it is taken in',
      },
      'git cannot unpack it',
    ),
    notAccepted(
      {
        id: 'bundle-harmful-tree',
        fault: 'A commit holds a folder named .git',
        produced: 'the agent writes the tree by hand (hash-object --literally) and commits it',
      },
      'git found a harmful or broken object in it',
    ),
    notAccepted(
      {
        id: 'bundle-missing',
        fault: 'The work cannot be collected',
        produced: 'the agent removes the .git of its workspace after its commit',
      },
      'the work could not be collected; it lies in the workspace',
      'the file that the agent wrote is still in the workspace',
    ),
  ],
}
