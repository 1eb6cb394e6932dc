import type { FaultGroup } from './fault'

const after = {
  run: 'succeeded',
  also: 'no id is stored, and the next run starts fresh: nothing of it reaches a command line or a file name',
} as const

export const sessionFaults: FaultGroup = {
  title: 'The session that the agent reports',
  faults: [
    {
      id: 'native-id-flag',
      fault: 'The agent reports --last as its session id',
      produced: 'the first event of an analysis carries it; no session file is written',
      words: [
        'The agent gave “--last” as the id of its session. That is no session id, so it is not used.',
        'no id reported',
      ],
      after,
    },
    {
      id: 'native-id-word',
      fault: 'The agent reports dispatched as its session id',
      produced: 'the same with the placeholder word that some servers answer with',
      words: [
        'The agent gave “dispatched” as the id of its session. That is no session id, so it is not used.',
        'no id reported',
      ],
      after,
    },
    {
      id: 'native-id-300',
      fault: 'The agent reports a session id of 300 characters',
      produced: 'the same with 300 letters',
      words: ['no id reported'],
      after: { ...after, also: `${after.also}; the line is shown as output` },
    },
    {
      id: 'agent-gone',
      fault: 'The agent of a queued run is not part of this version any more',
      produced: 'a run is queued while new runs are paused; the engine starts again without that adapter',
      words: [
        'The agent of this run is not there any more. Nothing was posted, and its memory is kept. Choose another agent in the settings, or go back to a version that has it, then retry.',
        'fake is not part of this version.',
      ],
      after: { run: 'failed', failure: 'agent_missing' },
    },
  ],
}
