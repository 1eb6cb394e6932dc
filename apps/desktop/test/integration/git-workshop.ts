import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/*
 * Plain git for tests: plays the forge, the person and the agent, with an identity and without the machine's
 * configuration. Deliberately not the adapter's own runGit.
 */

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.invalid',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.invalid',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  LC_ALL: 'C',
}

export interface Workshop {
  readonly folder: string
  git(where: string, args: readonly string[], input?: string | Buffer): string
  /** A clone with one commit on main, and the bare repository that it came from. */
  makeForge(name?: string): { readonly bare: string; readonly clone: string; readonly base: string }
  commit(clone: string, files: Readonly<Record<string, string>>, message?: string): string
  remove(): void
}

export function createWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'alfred-git-'))
  const git = (where: string, args: readonly string[], input?: string | Buffer): string =>
    execFileSync('git', args, {
      cwd: where,
      env: { PATH: process.env['PATH'], HOME: folder, ...identity },
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 64_000_000,
      ...(input !== undefined && { input }),
    }).trim()

  const commit = (clone: string, files: Readonly<Record<string, string>>, message = 'work'): string => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(clone, name)), { recursive: true })
      writeFileSync(join(clone, name), text)
    }
    git(clone, ['add', '-A'])
    git(clone, ['commit', '-q', '--allow-empty', '-m', message])
    return git(clone, ['rev-parse', 'HEAD'])
  }

  const makeForge: Workshop['makeForge'] = (name = 'forge') => {
    const bare = join(folder, `${name}.git`)
    const clone = join(folder, `${name}-clone`)
    git(folder, ['init', '-q', '--bare', '-b', 'main', bare])
    git(folder, ['clone', '-q', bare, clone])
    git(clone, ['checkout', '-q', '-b', 'main'])
    const base = commit(clone, { 'README.md': 'hello\n' }, 'first')
    git(clone, ['push', '-q', 'origin', 'main'])
    return { bare, clone, base }
  }

  return { folder, git, makeForge, commit, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
