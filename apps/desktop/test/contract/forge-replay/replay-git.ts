import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RecordedGit } from '../../fixtures/forge-recordings'

/*
 * The recorded git commands, run by a real git in a working copy of their own: same exit, same words.
 */

export class WorkingCopies {
  readonly folder: string
  private constructor(folder: string) {
    this.folder = folder
  }

  static async open(): Promise<WorkingCopies> {
    return new WorkingCopies(await mkdtemp(path.join(tmpdir(), 'forge-replay-')))
  }

  /** The clone in which the recorded pushes were made. */
  get bot(): string {
    return path.join(this.folder, 'bot')
  }

  /** One more commit on what is checked out. */
  async commit(message: string): Promise<void> {
    await writeFile(path.join(this.bot, 'work.txt'), `${message}\n`)
    await this.run(['add', '.'], '')
    await this.run(['commit', '--quiet', '-m', message], '')
  }

  run(args: readonly string[], secret: string): Promise<{ exit: number; stdout: string; stderr: string }> {
    const helper = '!f() { echo username=anybody; echo "password=$FORGE_TOKEN"; }; f'
    const identity = ['-c', 'user.name=Alfred', '-c', 'user.email=alfred-bot@forge.example']
    const credentials = secret === '' ? [] : ['-c', `credential.helper=${helper}`]
    // Only a clone comes before the working copy.
    const isOutside = args[0] === 'clone' || args[0] === '--version'
    const env = {
      PATH: process.env['PATH'],
      HOME: this.folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
      FORGE_TOKEN: secret,
    }
    return new Promise((resolve) => {
      execFile(
        'git',
        [...identity, ...credentials, ...args],
        { cwd: isOutside ? this.folder : this.bot, env },
        (error, stdout, stderr) => {
          const code = error === null ? 0 : error.code
          resolve({ exit: typeof code === 'number' ? code : -1, stdout, stderr })
        },
      )
    })
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** The scenes were recorded with git 2.39; others put the same things into other words. */
export async function hasRecordedGit(copies: WorkingCopies): Promise<boolean> {
  const { stdout } = await copies.run(['--version'], '')
  return / 2\.39\./.test(stdout)
}

const plain = (text: string): string =>
  text
    .replace(/\b[0-9a-f]{7,40}\b/g, 'HASH')
    .replace(/after \d+ ms/g, 'after N ms')
    .replace(/ +$/gm, '')

/** What the server itself said, without what git says of refs and hooks. */
const serverWords = (text: string): string =>
  plain(text)
    .split('\n')
    .filter(
      (line) => line.startsWith('remote:') && !/cannot lock ref|non-existent ref|hook declined/.test(line),
    )
    .join('\n')

export function gitDifferences(
  recorded: RecordedGit,
  given: { readonly exit: number; readonly stdout: string; readonly stderr: string },
  isRecordedGit: boolean,
): string[] {
  const { exit, stdout = '', stderr = '' } = recorded
  const pairs = isRecordedGit
    ? ([
        ['stdout', plain(stdout), plain(given.stdout)],
        ['stderr', plain(stderr), plain(given.stderr)],
      ] as const)
    : ([['words of the server', serverWords(stderr), serverWords(given.stderr)]] as const)
  return [['exit', String(exit), String(given.exit)] as const, ...pairs].flatMap(([name, a, b]) =>
    a === b ? [] : [`${name} ${JSON.stringify(b)} instead of ${JSON.stringify(a)}`],
  )
}
