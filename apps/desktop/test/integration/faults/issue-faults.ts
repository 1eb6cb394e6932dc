import type { FaultGroup } from './fault'

export const issueFaults: FaultGroup = {
  title: 'The issue itself',
  faults: [
    {
      id: 'title-too-long',
      fault: 'A person writes a title of 10,000 characters',
      produced: 'a new issue on the local forge',
      words: ['title must have at most 255 letters'],
      after: { run: 'none', also: 'no issue was made' },
    },
    {
      id: 'title-10000',
      fault: 'The forge has an issue with a title of 10,000 characters',
      produced: "the title in the forge's own table, past what its form takes",
      words: ['A title that does not end, A title that does not end'],
      after: {
        run: 'succeeded',
        commits: 1,
        also: 'branch and session have a name of ordinary length; the change on the forge has a title that a forge takes',
      },
      inWindow: true,
    },
  ],
}
