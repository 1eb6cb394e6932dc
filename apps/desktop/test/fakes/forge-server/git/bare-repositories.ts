import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { hooks } from './hooks'
import { writeCommit, writeRef, type Files } from './loose-objects'

/*
 * The git side of a forge: one bare repository on disk for each, named by id, so that a rename moves nothing.
 */

const run = promisify(execFile)

export interface CommitPerson {
  readonly name: string
  readonly email: string
}

export interface Commit {
  readonly sha: string
  readonly message: string
  readonly author: CommitPerson
  readonly committer: CommitPerson
  /** Epoch milliseconds of the committer. */
  readonly at: number
  readonly parents: readonly string[]
}

/** Nothing of the machine's own settings reaches git. */
export const gitEnvironment = (person: CommitPerson, atSeconds?: number): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: person.name,
  GIT_AUTHOR_EMAIL: person.email,
  GIT_COMMITTER_NAME: person.name,
  GIT_COMMITTER_EMAIL: person.email,
  ...(atSeconds === undefined
    ? {}
    : { GIT_AUTHOR_DATE: `${atSeconds} +0000`, GIT_COMMITTER_DATE: `${atSeconds} +0000` }),
})

const nobody: CommitPerson = { name: 'Forge', email: 'forge@forge.example' }

export class BareRepositories {
  readonly root: string
  private readonly answers = new Map<string, Promise<string | null>>()
  /** Whole contents of the commits that were written here, by hash. */
  private readonly contents = new Map<string, Files>()
  constructor(root: string) {
    this.root = root
  }

  pathOf(id: number): string {
    return path.join(this.root, `${id}.git`)
  }

  /** As `git init --bare` would, without starting it. */
  async create(id: number, defaultBranch: string): Promise<void> {
    const folder = this.pathOf(id)
    for (const part of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'hooks']) {
      await mkdir(path.join(folder, part), { recursive: true })
    }
    await writeFile(path.join(folder, 'HEAD'), `ref: refs/heads/${defaultBranch}\n`)
    await writeFile(path.join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
    for (const [name, text] of Object.entries(hooks)) {
      await writeFile(path.join(folder, 'hooks', name), text, { mode: 0o755 })
    }
  }

  /** A fork: the same branches, and commits that lead on from the same history. */
  async copy(from: number, to: number, defaultBranch: string): Promise<void> {
    await this.create(to, defaultBranch)
    await this.git(to, ['fetch', '--quiet', this.pathOf(from), '+refs/heads/*:refs/heads/*'])
  }

  async remove(id: number): Promise<void> {
    await rm(this.pathOf(id), { recursive: true, force: true })
  }

  /** git's output without the line's end. */
  async git(id: number, args: readonly string[], person = nobody, atSeconds?: number): Promise<string> {
    const { stdout } = await run('git', ['--git-dir', this.pathOf(id), ...args], {
      env: gitEnvironment(person, atSeconds),
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout.replace(/\n$/, '')
  }

  /** As `git`, or null where git fails. */
  async tryGit(id: number, args: readonly string[]): Promise<string | null> {
    try {
      return await this.git(id, args)
    } catch {
      return null
    }
  }

  /** As `tryGit`, for questions whose answer never changes, since they name commits by hash. */
  fixed(id: number, args: readonly string[]): Promise<string | null> {
    const key = [id, ...args].join(' ')
    const known = this.answers.get(key) ?? this.tryGit(id, args)
    this.answers.set(key, known)
    return known
  }

  async branches(id: number): Promise<Map<string, string>> {
    const listed = await this.git(id, [
      'for-each-ref',
      '--format=%(objectname) %(refname:lstrip=2)',
      'refs/heads/',
    ])
    const lines = listed === '' ? [] : listed.split('\n')
    return new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)]))
  }

  async commit(id: number, revision: string): Promise<Commit | null> {
    const format = '%H%x00%P%x00%an%x00%ae%x00%cn%x00%ce%x00%ct%x00%B'
    const args = ['log', '-1', `--format=${format}`, revision, '--']
    const isHash = /^[0-9a-f]{40}$/.test(revision)
    const text = isHash ? await this.fixed(id, args) : await this.tryGit(id, args)
    if (text === null || text === '') return null
    const [sha = '', parents = '', name = '', email = '', by = '', byEmail = '', at = '0', message = ''] =
      text.split('\0')
    return {
      sha,
      message: `${message.replace(/\n*$/, '')}\n`,
      author: { name, email },
      committer: { name: by, email: byEmail },
      at: Number(at) * 1000,
      parents: parents === '' ? [] : parents.split(' '),
    }
  }

  /** A commit with these files on top of a revision (null: the first one); returns its sha. */
  async commitFiles(
    id: number,
    change: {
      readonly branch: string
      readonly on: string | null
      readonly files: Files
      readonly message: string
      readonly by: CommitPerson
      readonly atSeconds: number
    },
  ): Promise<string> {
    const ref = `refs/heads/${change.branch}`
    const before = change.on === null ? {} : this.contents.get(change.on)
    if (before === undefined) return this.importFiles(id, ref, change)
    const folder = this.pathOf(id)
    const files = { ...before, ...change.files }
    const sha = await writeCommit(folder, { ...change, parent: change.on, files })
    this.contents.set(sha, files)
    await writeRef(folder, ref, sha)
    return sha
  }

  /** On top of what others pushed, which git has to read. */
  private async importFiles(
    id: number,
    ref: string,
    change: {
      readonly on: string | null
      readonly files: Files
      readonly message: string
      readonly by: CommitPerson
      readonly atSeconds: number
    },
  ): Promise<string> {
    const message = Buffer.from(change.message)
    const parts = [
      `commit ${ref}\n`,
      `committer ${change.by.name} <${change.by.email}> ${change.atSeconds} +0000\n`,
      `data ${message.length}\n${change.message}\n`,
      change.on === null ? '' : `from ${change.on}\n`,
      ...Object.entries(change.files).map(([file, text]) => {
        const size = Buffer.byteLength(text)
        return `M 100644 inline ${JSON.stringify(file)}\ndata ${size}\n${text}\n`
      }),
    ]
    await this.feed(id, ['fast-import', '--quiet', '--force'], parts.join(''))
    return this.git(id, ['rev-parse', ref])
  }

  private feed(id: number, args: readonly string[], input: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = execFile(
        'git',
        ['--git-dir', this.pathOf(id), ...args],
        { env: gitEnvironment(nobody) },
        (error) => (error === null ? resolve() : reject(error)),
      )
      child.stdin?.end(input)
    })
  }
}
