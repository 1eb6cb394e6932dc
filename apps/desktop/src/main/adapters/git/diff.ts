import { err, ok, type Result } from '@shared/result'
import type { DiffFile, GitError } from '@main/ports/git'
import { gitError, gitOutput } from './git-errors'
import { requireShas } from './refs'
import type { RunGit } from './run-git'

/** Nothing that a tree names is run to show it, and no configuration changes the format. */
const plain = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--find-renames',
  '-l1000',
  '--no-relative',
  '--diff-algorithm=histogram',
]

const maxListBytes = 32_000_000

/** The files that differ between two commits, renames detected. */
export async function listChangedFiles(
  run: RunGit,
  gitDir: string,
  baseSha: string,
  headSha: string,
): Promise<Result<readonly DiffFile[], GitError>> {
  const checked = requireShas(baseSha, headSha)
  if (!checked.ok) return checked
  const output = await gitOutput(run, {
    gitDir,
    args: ['diff', '--raw', '--numstat', '-z', '--abbrev=40', ...plain, baseSha, headSha, '--'],
    maxOutputBytes: maxListBytes,
  })
  return output.ok ? parseChangedFiles(output.value.stdout.toString()) : output
}

/** Every path that a commit between the two touches, each once; a merge counts against every parent. */
export async function listTouchedPaths(
  run: RunGit,
  gitDir: string,
  baseSha: string,
  headSha: string,
): Promise<Result<readonly string[], GitError>> {
  const checked = requireShas(baseSha, headSha)
  if (!checked.ok) return checked
  const output = await gitOutput(run, {
    gitDir,
    args: [
      'log',
      '--format=',
      '--name-only',
      '-z',
      '-m',
      '--no-renames',
      '--no-ext-diff',
      '--no-textconv',
      '--no-relative',
      `${baseSha}..${headSha}`,
      '--',
    ],
    maxOutputBytes: maxListBytes,
  })
  if (!output.ok) return output
  return ok([...new Set(output.value.stdout.toString().split('\0'))].filter((path) => path !== ''))
}

export async function listCommitMessages(
  run: RunGit,
  gitDir: string,
  baseSha: string,
  headSha: string,
): Promise<Result<readonly { readonly sha: string; readonly message: string }[], GitError>> {
  const checked = requireShas(baseSha, headSha)
  if (!checked.ok) return checked
  const output = await gitOutput(run, {
    gitDir,
    args: ['log', '-z', '--format=%H%n%B', '--encoding=UTF-8', `${baseSha}..${headSha}`, '--'],
    maxOutputBytes: maxListBytes,
  })
  if (!output.ok) return output
  const commits = output.value.stdout
    .toString()
    .split('\0')
    .filter((text) => text !== '')
  return ok(
    commits.map((text) => {
      const end = text.indexOf('\n')
      return { sha: text.slice(0, end), message: text.slice(end + 1) }
    }),
  )
}

/** The unified diff, cut at a line's end when it is over `maxBytes`. */
export async function readDiff(
  run: RunGit,
  gitDir: string,
  baseSha: string,
  headSha: string,
  maxBytes: number,
): Promise<Result<{ readonly patch: string; readonly cut: boolean }, GitError>> {
  const checked = requireShas(baseSha, headSha)
  if (!checked.ok) return checked
  const output = await gitOutput(run, {
    gitDir,
    args: ['diff', '--patch', '--src-prefix=a/', '--dst-prefix=b/', ...plain, baseSha, headSha, '--'],
    maxOutputBytes: maxBytes,
    whenOver: 'cut',
  })
  if (!output.ok) return output
  const { stdout, isCut } = output.value
  const end = isCut ? stdout.lastIndexOf(0x0a) + 1 : stdout.length
  return ok({ patch: stdout.subarray(0, end).toString(), cut: isCut })
}

/**
 * Reads `--raw --numstat -z`: first a record per file with its kind of change, then one with its counts.
 * A renamed file's raw record has two paths after it; its counts have an empty path and then the two.
 */
export function parseChangedFiles(text: string): Result<readonly DiffFile[], GitError> {
  const fields = text.split('\0')
  const files: Omit<DiffFile, 'added' | 'deleted'>[] = []
  const counts = new Map<string, Pick<DiffFile, 'added' | 'deleted'>>()
  let at = 0
  const next = (): string | undefined => fields[at++]
  while (at < fields.length - 1) {
    const field = next() ?? ''
    const raw = /^:\d+ \d+ \S+ \S+ ([A-Z])\d*$/.exec(field)
    const numbers = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(field)
    if (raw) {
      const first = next()
      const isPair = raw[1] === 'R' || raw[1] === 'C'
      const path = isPair ? next() : first
      if (first === undefined || path === undefined) return err(unreadable)
      files.push({ path, oldPath: isPair ? first : null, status: statusOf(raw[1] ?? '') })
    } else if (numbers) {
      const pair = numbers[3] === ''
      if (pair) next()
      const path = pair ? next() : numbers[3]
      if (path === undefined) return err(unreadable)
      counts.set(path, { added: countOf(numbers[1]), deleted: countOf(numbers[2]) })
    } else return err(unreadable)
  }
  return ok(files.map((file) => ({ ...file, ...(counts.get(file.path) ?? { added: null, deleted: null }) })))
}

const unreadable = gitError('unexpected', "Git's list of changed files could not be read.")

function countOf(text: string | undefined): number | null {
  return text === undefined || text === '-' ? null : Number(text)
}

function statusOf(letter: string): DiffFile['status'] {
  switch (letter) {
    case 'A':
      return 'added'
    case 'D':
      return 'deleted'
    case 'R':
      return 'renamed'
    case 'C':
      return 'copied'
    case 'T':
      return 'type_changed'
    default:
      return 'modified'
  }
}
