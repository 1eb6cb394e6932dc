import type { Aftermath, Fault, FaultGroup } from './fault'

/** The table as the page docs/faults.md, for people. */
export function faultPage(groups: readonly FaultGroup[]): string {
  return [
    '# Bad input, clear answer',
    '',
    'What goes wrong, how the tests really bring it about, what the person reads, and what is left afterwards. Each row is a test on the running engine with real containers and real git (`test/integration/faults`); rows with ⊞ are also seen in the real window (`test/e2e/faults.spec.ts`). In the words, `…` stands for what differs from run to run.',
    '',
    'After every row the database is whole, a run that began is told to its end and nobody holds its lock; commits of a run that did not succeed are on no branch, and nothing of it is on the forge.',
    '',
    'This page is made from the table of the tests, which fail when it is not up to date: `npx vitest run --project integration fault-table -u` writes it.',
    '',
    ...groups.flatMap(({ title, faults }) => [
      `## ${title}`,
      '',
      '| what goes wrong | how it is produced | on the screen | afterwards |',
      '| --- | --- | --- | --- |',
      ...faults.map(rowOf),
      '',
    ]),
  ].join('\n')
}

function rowOf({ fault, produced, words, after, inWindow }: Fault): string {
  const cells = [
    `${fault}${inWindow === true ? ' ⊞' : ''}`,
    produced,
    words.map((text) => `“${text}”`).join('<br>'),
    afterwards(after),
  ]
  return `| ${cells.map(cell).join(' | ')} |`
}

function afterwards({ run, failure, commits = 0, also }: Aftermath): string {
  const brought = commits === 1 ? '1 commit' : `${commits} commits`
  const work = commits === 0 ? 'the branch is as before' : `${brought} ${placeOf(run)}`
  const facts = {
    none: ['no run'],
    waits: ['the run waits in the queue'],
  }[run as string] ?? [`run ${run}${failure === undefined || failure === run ? '' : ` (${failure})`}`, work]
  return [...facts, ...(also === undefined ? [] : [also])].join('; ')
}

const placeOf = (run: Aftermath['run']): string =>
  run === 'succeeded' ? 'on the branch' : 'kept under the run'

/** What has a meaning in a table, or as a tag, is written as a character. */
const cell = (text: string): string =>
  text
    .replaceAll('<br>', '\u0000')
    .replaceAll(/[\\`*_{}[\]<>|#]/g, String.raw`\$&`)
    .replaceAll('\u0000', '<br>')
    .replaceAll('\n', '⏎')
