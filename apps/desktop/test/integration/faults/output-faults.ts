import type { FaultGroup } from './fault'

export const outputFaults: FaultGroup = {
  title: 'What the agent prints',
  faults: [
    {
      id: 'line-of-10-mb',
      fault: 'The agent prints 10 MB on one line',
      produced: 'one JSON line of 10,000,000 characters on standard output',
      words: ['1 line cut: 10 MB on a single line, first 16 kB kept'],
      after: {
        run: 'succeeded',
        commits: 1,
        also: 'no event is longer than what is kept of the line; the raw log has all of it',
      },
      inWindow: true,
    },
    {
      id: 'no-newline',
      fault: 'The agent prints 200 MB without a line feed',
      produced: '200,000,000 bytes from /dev/zero, made letters, on standard output',
      words: ['1 line cut: 200 MB on a single line, first 16 kB kept'],
      after: {
        run: 'succeeded',
        commits: 1,
        also: 'the engine held no more than a fraction of it in memory',
      },
    },
    {
      id: 'invalid-utf-8',
      fault: 'The agent prints bytes that are no UTF-8',
      produced: 'printf of stray, overlong and cut-off sequences',
      words: ['stray \ufffd\ufffd here', 'overlong \ufffd\ufffd here', 'cut off \ufffd'],
      after: { run: 'succeeded', commits: 1 },
    },
    {
      id: 'control-sequences',
      fault: 'The agent prints ANSI and OSC sequences',
      produced:
        'colours, cursor moves, a window title, a clipboard write and a link, raw on a line and as escapes inside JSON',
      words: ['red and plain', 'title gone', 'clipboard gone', 'link text', 'inside JSON: red', 'bell ␇'],
      after: { run: 'succeeded', commits: 1, also: 'no event in the database holds an escape character' },
      inWindow: true,
    },
    {
      id: 'stream-replaced-inside',
      fault: 'The agent removes, replaces and links its stream files',
      produced: 'rm, mv and ln over /alfred/out/stream.out and stream.err while the run lives',
      words: ['still here'],
      after: {
        run: 'succeeded',
        commits: 1,
        also: 'each stream file is a mount of its own, so none of it works',
      },
    },
    {
      id: 'stream-truncated',
      fault: 'The agent makes its stream file shorter',
      produced: 'a shell redirect that empties /alfred/out/stream.out',
      words: [
        'The output of this run was tampered with. A stream file was replaced or cut while it was read, so the run was stopped and nothing of it was taken. Look at the raw log before you retry.',
        'the output became shorter: … bytes after …',
      ],
      after: { run: 'result_refused', failure: 'stream_replaced' },
    },
    {
      id: 'stream-replaced-outside',
      fault: 'A stream file is replaced on this computer',
      produced: 'a rename over the file in the run folder while the run lives',
      words: ['The output of this run was tampered with.', 'the output file was replaced'],
      after: { run: 'result_refused', failure: 'stream_replaced' },
    },
    {
      id: 'stream-linked-outside',
      fault: 'A stream file is made a link to another file',
      produced: 'the file in the run folder removed, a link to /etc/passwd in its place, while the run lives',
      words: ['The output of this run was tampered with.', 'the output file was replaced'],
      after: {
        run: 'result_refused',
        failure: 'stream_replaced',
        also: 'nothing of the other file was read',
      },
    },
  ],
}
