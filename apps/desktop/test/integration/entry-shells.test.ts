import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listOf, resourcesFolder, untilFileHas } from './support/agent-container'

/*
 * The entry outside of a container, as the host runner uses it, in every shell that an image may have.
 */

let folder: string
let baseSha: string

const git = (cwd: string, ...argv: string[]): string =>
  execFileSync('git', ['-c', 'user.name=P', '-c', 'user.email=p@example.invalid', ...argv], {
    cwd,
    encoding: 'utf8',
  }).trim()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-shells-'))
  for (const name of ['seed', 'workspace', 'out', 'in', 'home']) await mkdir(join(folder, name))
  await writeFile(join(folder, 'seed/README.md'), 'x\n')
  git(join(folder, 'seed'), 'init', '--quiet', '-b', 'main')
  git(join(folder, 'seed'), 'add', '-A')
  git(join(folder, 'seed'), 'commit', '--quiet', '-m', 'Begin')
  git(folder, 'init', '--quiet', '--bare', 'repo.git')
  git(
    join(folder, 'repo.git'),
    'fetch',
    '--quiet',
    join(folder, 'seed'),
    '+refs/heads/*:refs/remotes/origin/*',
  )
  baseSha = git(join(folder, 'repo.git'), 'rev-parse', 'refs/remotes/origin/main')
  await writeFile(join(folder, 'in/prompt'), 'the prompt')
  for (const name of ['stream.out', 'stream.err']) await writeFile(join(folder, 'out', name), '')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function startEntry(
  shell: readonly [string, ...string[]],
  script: string,
  mode: 'run' | 'terminal' = 'run',
  more: Readonly<Record<string, string>> = {},
) {
  const [program, ...args] = shell
  return spawn(program, [...args, join(resourcesFolder, 'entry/alfred-entry'), 'sh', '-c', script], {
    stdio: mode === 'terminal' ? 'pipe' : 'ignore',
    env: {
      PATH: process.env['PATH'],
      HOME: join(folder, 'home'),
      ALFRED_RUNNER: 'host',
      ALFRED_MODE: mode,
      ALFRED_TREE: 'branch',
      ALFRED_BRANCH: 'agent/issue-1-x',
      ALFRED_BASE: baseSha,
      ALFRED_WORKSPACE_FOLDER: join(folder, 'workspace'),
      ALFRED_OUT_FOLDER: join(folder, 'out'),
      ALFRED_IN_FOLDER: join(folder, 'in'),
      ALFRED_REPOSITORY: join(folder, 'repo.git'),
      ...more,
    },
  })
}

/** A PATH with what the entry may count on in an image, apart from these. */
async function programsWithout(gone: readonly string[]): Promise<string> {
  const programs = join(folder, `without-${gone.join('-')}`)
  await mkdir(programs, { recursive: true })
  const all =
    'base64 cat chmod cp git head ls mkdir mktemp mv printenv rm sh sleep stat tail tr wc xargs'.split(' ')
  for (const name of all.filter((one) => !gone.includes(one)))
    await symlink(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(programs, name))
  return programs
}

const readStatus = async (): Promise<Readonly<Record<string, unknown>>> =>
  JSON.parse(await readFile(join(folder, 'out/status.json'), 'utf8'))

const shells: readonly { readonly shell: readonly [string, ...string[]] }[] = [
  { shell: ['/bin/sh'] },
  { shell: ['/bin/dash'] },
  { shell: ['/bin/bash'] },
  { shell: ['/bin/bash', '--posix'] },
  { shell: ['/bin/busybox', 'sh'] },
]
/** Elsewhere a shell may be missing; where everything is checked, none may. */
const present = shells.filter(({ shell: [program] }) => process.env['CI'] === 'true' || existsSync(program))

describe.each(present)('the entry in $shell', ({ shell }) => {
  it('prepares, runs, collects and ends with the code of the CLI', async () => {
    const child = startEntry(
      shell,
      'cat; echo words >&2; echo a > a.txt; git add a.txt; git commit -q -m one; echo b > "b b.txt"; exit 42',
    )
    const [code] = await once(child, 'exit')
    expect(code).toBe(42)
    expect(await readFile(join(folder, 'out/stream.out'), 'utf8')).toBe('the prompt')
    expect(await readFile(join(folder, 'out/stream.err'), 'utf8')).toBe('words\n')
    const status = await readStatus()
    expect(status).toMatchObject({ version: 1, base: baseSha, commits: 1, kept: 'written' })
    expect(listOf(status, 'uncommitted')).toEqual(['A', 'b b.txt'])
    expect(git(join(folder, 'repo.git'), 'bundle', 'list-heads', join(folder, 'out/commits.bundle'))).toBe(
      `${String(status['head'])} refs/heads/agent/issue-1-x`,
    )
  })

  it.each([
    ['the end of a key', 'sk-ant-api03-0123456789_abcdefgh-jk', '23456789_abcdefgh-jk'],
    ['a short key whole', 'sk-1', 'sk-1'],
    ['one of just that length', '01234567890123456789', '01234567890123456789'],
    ['none that JSON would not hold', 'sk-ant-api03-01234"6789', '@KEY_END@'],
    ['none where there is none', undefined, '@KEY_END@'],
  ])('puts into a file of the home %s', async (_what, key, end) => {
    await writeFile(join(folder, 'in/home-1'), '{"approved":["@KEY_END@"],"more":1}\n')
    const child = startEntry(shell, 'cat "$HOME/.claude.json" && env', 'run', {
      ALFRED_HOME_FILES: 'home-1=.claude.json',
      ALFRED_KEY_END: 'A_KEY=.claude.json',
      ...(key === undefined ? {} : { A_KEY: key }),
    })
    expect((await once(child, 'exit'))[0]).toBe(0)
    const said = await readFile(join(folder, 'out/stream.out'), 'utf8')
    expect(said).toContain(`{"approved":["${end}"],"more":1}\n`)
    expect(said).not.toContain('ALFRED_KEY_END')
    expect(await readFile(join(folder, 'in/home-1'), 'utf8')).toContain('@KEY_END@')
  })

  it('says that it has no temporary folder, before the CLI and after it', async () => {
    const temporary = join(folder, 'temporary')
    const more = { TMPDIR: temporary }
    const ends = async (script: string) => {
      const [code] = await once(startEntry(shell, script, 'run', more), 'exit')
      return [code, JSON.parse(await readFile(join(folder, 'out/entry.json'), 'utf8'))]
    }
    expect(await ends('true')).toMatchObject([70, { version: 1, step: 'temporary', code: 1 }])
    expect(await readFile(join(folder, 'out/stream.out'), 'utf8')).toBe('')
    await mkdir(temporary)
    expect(await ends(`rm -rf '${temporary}'; echo worked`)).toMatchObject([70, { step: 'collect', code: 1 }])
    expect(await readFile(join(folder, 'out/stream.out'), 'utf8')).toBe('worked\n')
  })

  it('collects a branch that was moved back, on which there is nothing new', async () => {
    await writeFile(join(folder, 'seed/README.md'), 'y\n')
    git(join(folder, 'seed'), 'commit', '--quiet', '-am', 'Go on')
    const seeded = '+refs/heads/*:refs/remotes/origin/*'
    git(join(folder, 'repo.git'), 'fetch', '--quiet', join(folder, 'seed'), seeded)
    const later = git(join(folder, 'repo.git'), 'rev-parse', 'refs/remotes/origin/main')
    const child = startEntry(shell, 'git reset -q --hard HEAD~1', 'run', { ALFRED_BASE: later })
    expect((await once(child, 'exit'))[0]).toBe(0)
    expect(await readStatus()).toMatchObject({ base: later, head: baseSha, commits: 0, kept: 'none' })
    for (const name of ['commits.bundle', 'entry.json'])
      expect(existsSync(join(folder, 'out', name))).toBe(false)
  })

  it.each(['xargs', 'stat', 'wc'])('keeps no more than the cap where %s is missing as well', async (gone) => {
    const lacking = gone === 'wc' ? ['xargs', 'wc'] : [gone]
    const environment = { PATH: await programsWithout(lacking), ALFRED_KEPT_BYTES: '1000' }
    const keptOf = async (script: string) => {
      await once(startEntry(shell, script, 'run', environment), 'exit')
      return (await readStatus())['kept']
    }
    const write = (bytes: number, name: string) => `head -c ${bytes} /dev/zero > ./'${name}'`
    // One shell has all programs in itself. What the others cannot measure counts as too much.
    const unmeasured = shell[0].endsWith('busybox') ? 'written' : 'too_large'
    expect(await keptOf(write(1001, '-x y'))).toBe('too_large')
    expect(await keptOf(`echo more >> README.md; ${write(990, 'x y')}`)).toBe(
      gone === 'wc' ? unmeasured : 'written',
    )
    expect(await keptOf(write(1, 'a"b'))).toBe(unmeasured)
  })

  it('forwards TERM and tells the real end', async () => {
    const child = startEntry(shell, 'trap "echo saved; exit 9" TERM; echo up; while :; do sleep 0.05; done')
    const ended = once(child, 'exit')
    await untilFileHas(join(folder, 'out/stream.out'), 'up')
    child.kill('SIGTERM')
    expect((await ended)[0]).toBe(9)
    expect(await readFile(join(folder, 'out/stream.out'), 'utf8')).toBe('up\nsaved\n')
    expect(await readStatus()).toMatchObject({ commits: 0 })
  })

  it('leaves input and output of a terminal to the CLI, and collects afterwards', async () => {
    const child = startEntry(shell, 'read word; echo "heard $word"; echo a > a.txt', 'terminal')
    child.stdin?.end('hello\n')
    const heard: string[] = []
    child.stdout?.on('data', (part: Buffer) => heard.push(part.toString()))
    await once(child, 'close')
    expect(heard.join('')).toBe('heard hello\n')
    expect(await readStatus()).toMatchObject({ kept: 'written' })
  })

  it('puts the files of a CLI into its home, where it may write them', async () => {
    await writeFile(join(folder, 'in/home-1'), 'settings')
    await writeFile(join(folder, 'in/home-2'), 'state')
    await chmod(join(folder, 'in/home-1'), 0o444)
    const script = 'cat ~/.x/y/z.json ~/.x.json && echo more >> ~/.x.json && echo "$ALFRED_HOME_FILES"'
    const files = { ALFRED_HOME_FILES: 'home-1=.x/y/z.json home-2=.x.json' }
    const [code] = await once(startEntry(shell, script, 'run', files), 'exit')
    expect(code).toBe(0)
    expect(await readFile(join(folder, 'out/stream.out'), 'utf8')).toBe('settingsstate\n')
    expect(await readFile(join(folder, 'home/.x.json'), 'utf8')).toBe('statemore\n')
  })

  it('starts no CLI whose files are missing, and says which step failed', async () => {
    const files = { ALFRED_HOME_FILES: 'home-1=.x.json' }
    const [code] = await once(startEntry(shell, 'echo began', 'run', files), 'exit')
    expect(code).toBe(70)
    expect(await readFile(join(folder, 'out/stream.out'), 'utf8')).toBe('')
    const entry = JSON.parse(await readFile(join(folder, 'out/entry.json'), 'utf8'))
    expect(entry).toMatchObject({ step: 'home' })
    expect(Buffer.from(entry.detail, 'base64').toString()).toContain('home-1')
  })

  it('tells a CLI that was killed by a signal', async () => {
    const [code] = await once(startEntry(shell, 'kill -KILL $$'), 'exit')
    expect(code).toBe(137)
  })
})
