import type { Fault, FaultGroup } from './fault'

const refused =
  'The result file of this run was not accepted. It does not have the form that was asked for. Nothing was posted. Retry; the agent gets the same task again.'

/** A result that is not accepted; the commits of a development are taken in all the same. */
function notAccepted(
  head: Pick<Fault, 'id' | 'fault' | 'produced' | 'inWindow'>,
  why: string,
  after: Pick<Fault['after'], 'commits' | 'also'> = { commits: 1 },
): Fault {
  return {
    ...head,
    words: [refused, why],
    after: { run: 'result_refused', failure: 'result_refused', ...after },
  }
}

export const resultFaults: FaultGroup = {
  title: 'The result that the agent leaves',
  faults: [
    notAccepted(
      {
        id: 'no-result',
        fault: 'There is no result.json, and the agent said nothing',
        produced: 'an analysis that prints an empty closing text and writes no file',
      },
      'The agent left neither a result.json nor any text.',
      {},
    ),
    notAccepted(
      {
        id: 'result-without-plan',
        fault: 'result.json says that the analysis is done and holds no plan',
        produced: '{"version":1,"phase":"analysis","outcome":"done"}',
        inWindow: true,
      },
      'result.json was not accepted: it says that the analysis is done and holds no plan.',
      {},
    ),
    {
      id: 'result-without-commits',
      fault: 'result.json says that the development is done, and there is no commit',
      produced: 'a development that writes "All done, the tests pass." and changes nothing',
      words: [
        'No commits.',
        'Blocked … It does not go on by itself. Its work is kept; a retry goes on from there.',
      ],
      after: {
        run: 'succeeded',
        also: 'the issue is blocked, and a comment says that the development made no commit',
      },
    },
    notAccepted(
      {
        id: 'result-50-mb',
        fault: 'result.json has 50 MB',
        produced: 'a development that writes 50,000,000 letters into it',
      },
      'result.json was not accepted: it has 50 MB, and 2.0 MB are allowed.',
    ),
    notAccepted(
      {
        id: 'result-proto',
        fault: 'result.json holds the key __proto__',
        produced: '"__proto__":{"polluted":true} among its keys',
      },
      'result.json was not accepted: the key __proto__ is not allowed.',
      { commits: 1, also: 'no object of the engine got the key' },
    ),
    notAccepted(
      { id: 'result-other-issue', fault: "result.json is another issue's", produced: '"issue":99 in it' },
      'result.json was not accepted: it is for issue 99, this run is for issue ….',
    ),
    notAccepted(
      {
        id: 'result-other-phase',
        fault: "result.json is another phase's",
        produced: 'a development that writes the result of an analysis',
      },
      'result.json was not accepted: it is for the phase analysis, this run is development.',
    ),
    notAccepted(
      { id: 'result-no-json', fault: 'result.json is no JSON', produced: 'a single { in it' },
      'result.json was not accepted: it is not JSON.',
    ),
    notAccepted(
      { id: 'result-fifo', fault: 'result.json is a FIFO', produced: 'mkfifo in its place' },
      'result.json was not accepted: it is no plain file.',
    ),
    notAccepted(
      {
        id: 'result-link',
        fault: 'result.json is a link',
        produced: 'a symbolic link to /etc/passwd in its place',
      },
      'result.json was not accepted: it is no plain file.',
    ),
    notAccepted(
      {
        id: 'result-second-name',
        fault: 'result.json has a second name',
        produced: 'a hard link to another file in its place',
      },
      'result.json was not accepted: it has 2 names.',
    ),
  ],
}
