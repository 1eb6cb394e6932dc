import type { Fault, FaultGroup } from './fault'

const runsNothing =
  'nothing that the workspace names was run: not by this run, not by the next one, not on this computer'

const plants = (
  id: string,
  fault: string,
  produced: string,
  words: readonly string[] = ['1 commit'],
): Fault => ({
  id,
  fault,
  produced,
  words,
  after: { run: 'succeeded', commits: 1, also: runsNothing },
})

export const workspaceFaults: FaultGroup = {
  title: 'The workspace that the agent leaves',
  faults: [
    plants(
      'workspace-hooks',
      'Git hooks in the workspace',
      'every hook of git as a program that leaves a mark',
    ),
    plants('workspace-fsmonitor', 'A file watcher in the configuration', 'core.fsmonitor names a program'),
    plants(
      'workspace-filters',
      'Filters for every file',
      'filter.x.clean, smudge and process, diff.x.textconv and merge.x.driver name a program, .gitattributes names them, and a file is left uncommitted',
    ),
    plants(
      'workspace-instead-of',
      'An address that is rewritten',
      "url.*.insteadOf leads the app's repository to ext::sh, with protocol.ext.allow always",
    ),
    plants(
      'workspace-alternates',
      'Objects borrowed from elsewhere',
      'objects/info/alternates names folders that are not there, and /proc/1/root',
    ),
    {
      id: 'workspace-submodule',
      fault: 'A submodule whose update is a command',
      produced: 'a committed .gitmodules with update = !touch, beside a gitlink',
      words: [
        'The result of this run was not accepted. Its git bundle failed the check: git found a harmful or broken object in it. Nothing was pushed.',
        'gitmodulesUpdate',
      ],
      after: { run: 'result_refused', failure: 'bundle_refused', also: runsNothing },
    },
    plants(
      'workspace-links',
      'Links out of the workspace',
      'links to /etc/passwd and to /, committed and uncommitted, and a folder replaced by a link',
      ['1 commit', 'secret-link', 'root-link'],
    ),
    plants(
      'workspace-names',
      'File names with line breaks and other hard bytes',
      'names with a line feed, a tab, an escape sequence, a leading dash, quotes and bytes that are no UTF-8',
      ['1 commit', 'line\nbreak', '-rf'],
    ),
  ],
}
