import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ContainerRuntime } from '@main/ports/container-runtime'
import {
  agentImageTag,
  createTestMailbox,
  listOf,
  testRuntime,
  untilFileHas,
  user,
  type TestMailbox,
} from './support/agent-container'

let runtime: ContainerRuntime
let image: string
let mailbox: TestMailbox

beforeAll(async () => {
  runtime = testRuntime()
  image = await agentImageTag(runtime)
})
beforeEach(async () => {
  mailbox = await createTestMailbox(runtime, image)
})
afterEach(() => mailbox.remove())

const sh = (script: string): readonly string[] => ['sh', '-c', script]
const commit = 'echo new > new.txt && git add new.txt && git commit -q -m "Add a file"'

const branches = () => readdir(join(mailbox.workspace, '.git/refs/heads'))

/** A read-only phase that committed and was killed, so that nobody collected it. */
async function leaveTemporary(): Promise<void> {
  const run = await mailbox.start({ argv: sh(`${commit}; echo up; sleep 1000`), tree: 'temporary' })
  await untilFileHas(join(run.output, 'stream.out'), 'up')
  await runtime.remove(run.state.id)
  expect(await branches()).toEqual(['alfred-temporary'])
}

describe('a run inside its container', () => {
  it('brings the commits of the issue branch out as a bundle, with the author that was given', async () => {
    const run = await mailbox.run({ argv: sh(`${commit} && git log -1 --format=%an/%cn`) })
    expect(run).toMatchObject({ stdout: 'Agent/Agent\n', stderr: '', entry: null })
    expect(run.state.exitCode).toBe(0)
    const head = mailbox.bundleHead(join(run.output, 'commits.bundle'))
    expect(head.ref).toBe(`refs/heads/${mailbox.branch}`)
    expect(run.status).toMatchObject({
      version: 1,
      base: mailbox.baseSha,
      head: head.sha,
      commits: 1,
      kept: 'none',
    })
    expect(listOf(run.status, 'name_status')).toEqual(['A', 'new.txt'])
    expect(listOf(run.status, 'numstat')).toEqual(['1\t0\tnew.txt'])
  })

  it.each(['/bin/dash', '/bin/bash'])('does so with %s too', async (shell) => {
    const run = await mailbox.run({ argv: sh(`${commit}; exit 3`), shell })
    expect(run.state.exitCode).toBe(3)
    expect(mailbox.bundleHead(join(run.output, 'commits.bundle')).sha).toBe(run.status?.['head'])
  })

  it('makes no bundle when there is no new commit', async () => {
    const run = await mailbox.run({ argv: sh('true') })
    expect(run.status).toMatchObject({ commits: 0, kept: 'none', head: mailbox.baseSha })
    expect((await readdir(run.output)).toSorted()).toEqual(['status.json', 'stream.err', 'stream.out'])
  })

  it('gives the prompt on standard input and keeps both streams apart', async () => {
    const run = await mailbox.run({ argv: sh('cat; echo words >&2'), prompt: 'line one\nline two' })
    expect(run).toMatchObject({ stdout: 'line one\nline two', stderr: 'words\n' })
  })

  it.each([0, 1, 42, 137, 143])("ends with the CLI's own exit code %i", async (code) => {
    const run = await mailbox.run({ argv: sh(`exit ${code}`) })
    expect(run.state.exitCode).toBe(code)
  })

  it('says 127 when the CLI is not in the image', async () => {
    const run = await mailbox.run({ argv: ['no-such-cli'] })
    expect(run.state.exitCode).toBe(127)
    expect(run.stderr).toContain('no-such-cli')
  })

  it('keeps uncommitted work, untracked files included and ignored ones not, whatever their names', async () => {
    const name = 'odd "name"\n with \\ and é'
    const run = await mailbox.run({
      argv: [
        'sh',
        '-c',
        `${commit}; echo changed >> README.md; rm src/main.js; printf x > "$1"; mkdir ignored; echo no > ignored/no`,
        'sh',
        name,
      ],
    })
    const kept = join(run.output, 'kept.bundle')
    expect(run.status).toMatchObject({ kept: 'written', commits: 1 })
    expect(listOf(run.status, 'uncommitted')).toEqual(['M', 'README.md', 'A', name, 'D', 'src/main.js'])
    expect(mailbox.show(kept, name)).toBe('x')
    expect(mailbox.show(kept, 'new.txt')).toBe('new')
    expect(() => mailbox.show(kept, 'ignored/no')).toThrow('Command failed')
    expect(mailbox.bundleHead(join(run.output, 'commits.bundle')).sha).toBe(run.status?.['head'])
  })

  it('keeps what was committed on another branch or on none', async () => {
    const run = await mailbox.run({ argv: sh(`git checkout -q --detach && ${commit}`) })
    expect(run.status).toMatchObject({ commits: 0, kept: 'written' })
    expect(mailbox.show(join(run.output, 'kept.bundle'), 'new.txt')).toBe('new')
  })

  it.each([
    ['is new', 'head -c 3000000 /dev/zero > big'],
    ['is staged', 'head -c 3000000 /dev/zero > big; git add big'],
    ['was there before', 'head -c 3000000 /dev/zero > README.md; git add README.md; : > big'],
  ])('says so instead of keeping more than the cap, where it %s', async (_what, script) => {
    const run = await mailbox.run({
      argv: sh(script),
      environment: { ALFRED_KEPT_BYTES: '2000000' },
    })
    expect(run.status).toMatchObject({ kept: 'too_large' })
    expect(existsSync(join(run.output, 'kept.bundle'))).toBe(false)
    expect(await readdir(mailbox.workspace)).toContain('big')
  })

  it('keeps what is staged and what is changed once more, and counts it once', async () => {
    const run = await mailbox.run({
      argv: sh(
        'head -c 1500000 /dev/zero > big; git add big; echo more >> big; mkdir ignored; echo x > ignored/forced; git add -f ignored/forced',
      ),
      environment: { ALFRED_KEPT_BYTES: '2000000' },
    })
    expect(run.status).toMatchObject({ kept: 'written' })
    expect(mailbox.show(join(run.output, 'kept.bundle'), 'ignored/forced')).toBe('x')
  })

  it('begins the next run at the branch again, without what was left uncommitted', async () => {
    await mailbox.run({ argv: sh('echo left > left.txt; mkdir ignored; echo cache > ignored/cache') })
    const run = await mailbox.run({ argv: sh('ls; cat ignored/cache; git status --porcelain') })
    expect(run.stdout).toBe('README.md\nignored\npackage.json\nsrc\ncache\n')
  })

  it('goes on in the workspace as it is when the memory believes in it', async () => {
    await mailbox.run({ argv: sh(`${commit}; echo left > left.txt`) })
    const run = await mailbox.run({ argv: sh('ls; git log --oneline | wc -l'), tree: 'workspace' })
    expect(run.stdout).toBe('README.md\nleft.txt\nnew.txt\npackage.json\nsrc\n2\n')
    expect(run.status).toMatchObject({ commits: 1, kept: 'written' })
  })

  it('goes on in the workspace although a killed git left its lock', async () => {
    await mailbox.run({ argv: sh('touch .git/index.lock') })
    const run = await mailbox.run({ argv: sh(commit), tree: 'workspace' })
    expect(run.state.exitCode).toBe(0)
  })

  it('leaves no branch of a read-only phase, and keeps what its agent committed against its orders', async () => {
    const run = await mailbox.run({ argv: sh(`git branch --show-current; ${commit}`), tree: 'temporary' })
    expect(run.stdout).toBe('alfred-temporary\n')
    expect(run.status).toMatchObject({ kept: 'written' })
    expect(existsSync(join(run.output, 'commits.bundle'))).toBe(false)
    expect(mailbox.show(join(run.output, 'kept.bundle'), 'new.txt')).toBe('new')
    expect(await readdir(join(mailbox.workspace, '.git/refs/heads'))).toEqual([])
    expect(await readdir(mailbox.workspace)).not.toContain('new.txt')
  })

  it('goes on in what a read-only phase that was killed had left, and leaves no branch of it', async () => {
    const run = await mailbox.start({
      argv: sh(`${commit}; echo note > note.txt; echo up; sleep 1000`),
      tree: 'temporary',
    })
    await untilFileHas(join(run.output, 'stream.out'), 'up')
    await runtime.remove(run.state.id)
    const next = await mailbox.run({
      argv: sh('git branch --show-current; ls; git log --oneline | wc -l'),
      tree: 'temporary_as_is',
    })
    expect(next.stdout).toBe('alfred-temporary\nREADME.md\nnew.txt\nnote.txt\npackage.json\nsrc\n2\n')
    expect(next.status).toMatchObject({ commits: 1, kept: 'written' })
    expect(existsSync(join(next.output, 'commits.bundle'))).toBe(false)
    for (const name of ['new.txt', 'note.txt'])
      expect(mailbox.show(join(next.output, 'kept.bundle'), name)).not.toBe('')
    expect(await branches()).toEqual([])
  })

  it('begins a read-only phase anew, also where one that was killed had left its branch', async () => {
    await leaveTemporary()
    const run = await mailbox.run({ argv: sh('ls; git log --oneline | wc -l'), tree: 'temporary' })
    expect(run.stdout).toBe('README.md\npackage.json\nsrc\n1\n')
    expect(await branches()).toEqual([])
  })

  it.each(['branch', 'workspace'] as const)(
    'has nothing of a read-only phase that was killed where the tree is: %s',
    async (tree) => {
      await leaveTemporary()
      const run = await mailbox.run({ argv: sh('git branch; ls'), tree })
      expect(run.stdout).toBe(`* ${mailbox.branch}\nREADME.md\npackage.json\nsrc\n`)
    },
  )

  it("leaves no branch that a read-only phase's agent made, be it named as the issue's", async () => {
    const run = await mailbox.run({
      argv: sh(
        `git branch other && git pack-refs --all && git checkout -q -b ${mailbox.branch} && ${commit}`,
      ),
      tree: 'temporary',
    })
    expect(mailbox.show(join(run.output, 'kept.bundle'), 'new.txt')).toBe('new')
    const next = await mailbox.run({ argv: sh('git branch; ls'), tree: 'workspace' })
    expect(next.stdout).toBe(`* ${mailbox.branch}\nREADME.md\npackage.json\nsrc\n`)
    expect(next.status).toMatchObject({ commits: 0 })
  })

  it('sees the branches of the forge and cannot write to the repository it fetches from', async () => {
    const run = await mailbox.run({
      argv: sh(
        'git branch -r; git push -q origin HEAD:refs/heads/main || echo refused; touch /alfred/repo.git/x || echo read-only',
      ),
    })
    expect(run.stdout).toContain('origin/main')
    expect(run.stdout).toContain('refused\nread-only\n')
  })
})

describe('a workspace without the branch of the issue', () => {
  it('is begun at the branch, also where the memory would go on as it is', async () => {
    await mailbox.run({ argv: sh('true'), tree: 'temporary' })
    const run = await mailbox.run({ argv: sh(`git branch --show-current; ${commit}`), tree: 'workspace' })
    expect(run.stdout).toBe(`${mailbox.branch}\n`)
    expect(run.status).toMatchObject({ commits: 1 })
  })
})

describe('stopping a run', () => {
  it('forwards TERM and waits for the real exit code', async () => {
    const run = await mailbox.start({
      argv: sh('trap "echo saved; exit 9" TERM; echo up; while :; do sleep 0.1; done'),
    })
    await untilFileHas(join(run.output, 'stream.out'), 'up')
    await runtime.stop(run.state.id, 8_000)
    const ended = await run.ended()
    expect(ended.stdout).toBe('up\nsaved\n')
    expect(ended.state.exitCode).toBe(9)
    expect(ended.status).not.toBeNull()
  })

  it('kills a CLI that ignores TERM, and still collects its work', async () => {
    const run = await mailbox.start({
      argv: sh(`trap "" TERM; ${commit}; echo up; while :; do sleep 1; done`),
    })
    await untilFileHas(join(run.output, 'stream.out'), 'up')
    await runtime.stop(run.state.id, 9_000)
    const ended = await run.ended()
    expect(ended.state.exitCode).toBe(137)
    expect(ended.status).toMatchObject({ commits: 1 })
  })

  it('ends everything that the CLI left running', async () => {
    const run = await mailbox.run({
      argv: sh(
        `${commit}; setsid sh -c "while :; do rm -f /alfred/out/status.json /alfred/out/commits.bundle; done" > /dev/null 2>&1 & sleep 0.3`,
      ),
    })
    // It would have gone on taking the results away.
    expect(await readdir(run.output)).toEqual(expect.arrayContaining(['commits.bundle', 'status.json']))
  })

  it('collects in a container of its own after a KILL, without network, credentials or state', async () => {
    const run = await mailbox.start({ argv: sh(`${commit}; echo more > more.txt; echo up; sleep 1000`) })
    await untilFileHas(join(run.output, 'stream.out'), 'up')
    await runtime.remove(run.state.id)
    const collected = await mailbox.run({ purpose: 'collect' })
    expect(collected.state.exitCode).toBe(0)
    expect(collected.status).toMatchObject({ commits: 1, kept: 'written' })
    expect(mailbox.bundleHead(join(collected.output, 'commits.bundle')).ref).toBe(
      `refs/heads/${mailbox.branch}`,
    )
    expect(mailbox.show(join(collected.output, 'kept.bundle'), 'more.txt')).toBe('more')
  })

  it('collects a read-only phase after a KILL, and leaves no branch of it', async () => {
    await leaveTemporary()
    const collected = await mailbox.run({ purpose: 'collect', tree: 'temporary_as_is' })
    expect(collected.status).toMatchObject({ commits: 1, kept: 'written' })
    expect(existsSync(join(collected.output, 'commits.bundle'))).toBe(false)
    expect(mailbox.show(join(collected.output, 'kept.bundle'), 'new.txt')).toBe('new')
    expect(await branches()).toEqual([])
    expect(await readdir(mailbox.workspace)).not.toContain('new.txt')
  })

  it('tells the memory limit apart', async () => {
    const run = await mailbox.run({
      argv: ['node', '-e', 'const held = []; for (;;) held.push(Buffer.alloc(1e7, 1))'],
      limits: { memoryBytes: 100_000_000, cpus: 2, pids: 128 },
    })
    expect(run.state).toMatchObject({ outOfMemory: true, memoryLimitHit: true, exitCode: 137 })
  })
})

describe('a hostile workspace', () => {
  const hostile = `
    mkdir -p .git/hooks
    for hook in post-checkout pre-commit reference-transaction post-index-change; do
      printf '#!/bin/sh\\ntouch /alfred/out/hook-ran; sleep 1000\\n' > .git/hooks/$hook; chmod +x .git/hooks/$hook
    done
    git config core.fsmonitor 'touch /alfred/out/monitor-ran; false'
    git config filter.evil.clean 'touch /alfred/out/filter-ran; sleep 1000'
    git config filter.evil.smudge 'touch /alfred/out/filter-ran; sleep 1000'
    git config diff.external 'touch /alfred/out/diff-ran'
    git config core.worktree /
    printf '* filter=evil\\n' > .gitattributes
    mkdir -p .git/info; printf '* filter=evil\\n' > .git/info/attributes
    echo changed > README.md`

  it('runs nothing of its own while the work is collected', async () => {
    const run = await mailbox.run({ argv: sh(hostile) })
    expect(run.status).toMatchObject({ kept: 'written' })
    expect((await readdir(run.output)).filter((name) => name.endsWith('-ran'))).toEqual([])
    expect(mailbox.show(join(run.output, 'kept.bundle'), 'README.md')).toBe('changed')
  })

  it('does not keep the next run from beginning afresh', async () => {
    await mailbox.run({ argv: sh(hostile) })
    const run = await mailbox.run({ argv: sh(`cat README.md; ${commit}; ls /alfred/out`) })
    expect(run.stdout).toBe('# Sample\nstream.err\nstream.out\n')
    expect(run.status).toMatchObject({ commits: 1 })
  })

  it.each([
    ['a broken configuration', 'echo "[broken" > .git/config'],
    ['a broken index', 'echo broken > .git/index'],
    ['a link in the place of .git', 'mv .git /tmp/git && ln -s /tmp/git .git'],
    ['no .git at all', 'rm -rf .git'],
    ['objects that are gone', 'rm -rf .git/objects/*'],
    ['folders that nobody may enter', 'mkdir -p deep/er && chmod 0 deep/er deep'],
  ])('with %s is begun anew', async (_what, script) => {
    await mailbox.run({ argv: sh(script) })
    const run = await mailbox.run({ argv: sh(`${commit} && ls`) })
    expect(run.entry).toBeNull()
    expect(run.stdout).toBe('README.md\nnew.txt\npackage.json\nsrc\n')
    expect(run.status).toMatchObject({ commits: 1 })
  })

  it('still brings its commits out when only its configuration and index are broken', async () => {
    const run = await mailbox.run({
      argv: sh(`${commit}; echo "[broken" > .git/config; echo broken > .git/index; echo more > more.txt`),
    })
    expect(run.status).toMatchObject({ commits: 1, kept: 'written' })
    expect(mailbox.show(join(run.output, 'kept.bundle'), 'more.txt')).toBe('more')
  })

  it('says that collecting failed when its repository is gone', async () => {
    const run = await mailbox.run({ argv: sh('rm -rf .git; exit 5') })
    expect(run.state.exitCode).toBe(5)
    expect(run.entry).toMatchObject({ version: 1, step: 'collect' })
    expect(run.status).toBeNull()
  })

  it('cannot lead what is written out elsewhere, nor take the stream files away', async () => {
    const run = await mailbox.run({
      argv: sh(`${commit}; cd /alfred/out; ln -s /workspace/README.md status.json; ln -s /workspace/README.md commits.bundle; mkfifo kept.bundle; mkdir commits.bundle.lock
        rm -f stream.out; mv stream.err elsewhere; ln -sf /etc/passwd stream.out; echo still here`),
    })
    expect(run.stdout).toBe('still here\n')
    expect(run.status).toMatchObject({ commits: 1 })
    expect(await readFile(join(mailbox.workspace, 'README.md'), 'utf8')).toBe('# Sample\n')
  })
})

describe('what goes wrong before the CLI', () => {
  it('is told with its step: a base that the repository does not have', async () => {
    const run = await mailbox.run({ argv: sh('echo never'), baseSha: 'f'.repeat(40) })
    expect(run.stdout).toBe('')
    expect(run.state.exitCode).toBe(70)
    expect(run.entry).toMatchObject({ version: 1, step: 'workspace' })
    expect(Buffer.from(String(run.entry?.['detail']), 'base64').toString()).toContain('ffffffff')
  })

  it('leaves a workspace that was filled by somebody else before usable', async () => {
    await mkdir(join(mailbox.workspace, 'old'))
    await writeFile(join(mailbox.workspace, 'old', 'file'), 'x')
    await symlink('/etc/passwd', join(mailbox.workspace, 'README.md'))
    await chmod(join(mailbox.workspace, 'old'), 0o700)
    for (const path of ['old', 'old/file']) await chown(join(mailbox.workspace, path), user.uid, user.gid)
    const run = await mailbox.run({ argv: sh('ls -l README.md | cut -c1') })
    expect(run.stdout).toBe('-\n')
    await rm(join(mailbox.workspace, 'old'), { recursive: true, force: true })
  })
})
