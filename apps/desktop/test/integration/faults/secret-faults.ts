import type { FaultGroup } from './fault'

const nowhere =
  'no form of it is in the database, a log, a file of the run folder, a comment, a command line, a label, the remote or a notification'

export const secretFaults: FaultGroup = {
  title: 'A secret that the agent got hold of',
  faults: [
    {
      id: 'secret-printed',
      fault: 'The agent prints a secret',
      produced:
        'a token of the environment (ALFRED_TOKEN_…) in texts, tools, standard error and plain lines: as it is, in base64 at each offset, URL-encoded, as escapes of JSON, and across the cut of an endless line',
      words: ['raw [redacted].', 'base64 …[redacted]…', 'url [redacted].', 'escaped [redacted]'],
      after: { run: 'succeeded', commits: 1, also: nowhere },
      inWindow: true,
    },
    {
      id: 'secret-in-burst',
      fault: 'The agent prints a secret in a burst',
      produced: 'it stands in each of a thousand lines that come at once, which are stored packed',
      words: ['burst 0 [redacted] x'],
      after: { run: 'succeeded', commits: 1, also: nowhere },
    },
    {
      id: 'secret-in-result',
      fault: 'The agent writes a secret into its result',
      produced: 'plan, analysis and summary of result.json hold it, and the plan is posted',
      words: ['Needs you … The plan is written.'],
      after: { run: 'succeeded', also: `${nowhere}; the plan on the issue says [redacted]` },
    },
    {
      id: 'secret-in-failure',
      fault: 'The agent fails with a secret in its last words',
      produced: 'a line on standard error that quotes it, then exit code 1',
      words: ['The agent ended with an error.', 'could not log in with [redacted] (exit code 1)'],
      after: {
        run: 'failed',
        failure: 'agent_failed',
        also: `${nowhere}; the comment and the notification say [redacted]`,
      },
    },
    {
      id: 'secret-in-commit',
      fault: 'The agent commits a secret',
      produced: 'a file holds it in base64, and the next commit takes it out again',
      words: [
        'The result of this run was not accepted. Its git bundle failed the check: one of its commits holds a secret that Alfred knows. Nothing was pushed.',
      ],
      after: { run: 'result_refused', failure: 'bundle_refused', also: nowhere },
    },
    {
      id: 'secret-in-refusal',
      fault: 'A refused result has a secret in it',
      produced: 'a key of result.json is the secret',
      words: ['The result file of this run was not accepted.', 'Unrecognized key: "[redacted]"'],
      after: { run: 'result_refused', failure: 'result_refused', commits: 1, also: nowhere },
    },
  ],
}
