import { chmodSync, existsSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRunGit, type RunGit } from '@main/adapters/git/run-git'
import { createWorkshop, type Workshop } from './git-workshop'

describe('running git', () => {
  let workshop: Workshop
  beforeEach(() => {
    workshop = createWorkshop()
  })
  afterEach(() => workshop.remove())

  /** A program in git's place. */
  function standIn(script: string): RunGit {
    const program = join(workshop.folder, 'git-stand-in')
    writeFileSync(program, `#!/bin/sh\n${script}\n`)
    chmodSync(program, 0o755)
    return createRunGit({ homeFolder: join(workshop.folder, 'home'), program })
  }

  const appears = (file: string): Promise<void> =>
    new Promise((resolve) => {
      const watcher = watch(workshop.folder, () => {
        if (!existsSync(file)) return
        watcher.close()
        resolve()
      })
      if (existsSync(file)) {
        watcher.close()
        resolve()
      }
    })

  it('sees nothing of the configuration of the person and the system', async () => {
    writeFileSync(
      join(workshop.folder, '.gitconfig'),
      '[user]\n\tname = Somebody\n[alias]\n\tx = !touch /tmp/x\n',
    )
    const before = process.env['GIT_DIR']
    process.env['GIT_DIR'] = '/nowhere'
    try {
      const run = createRunGit({ homeFolder: join(workshop.folder, 'home') })
      const shown = await run({ args: ['config', '--list', '--show-origin'] })
      const lines = shown.ok ? shown.value.stdout.toString().trim().split('\n') : []
      expect(lines.length).toBeGreaterThan(5)
      for (const line of lines) expect(line).toMatch(/^command line:/)
    } finally {
      if (before === undefined) delete process.env['GIT_DIR']
      else process.env['GIT_DIR'] = before
    }
  })

  it('ends git and the helpers that git started when the signal aborts', async () => {
    const ready = join(workshop.folder, 'ready')
    // The helper keeps git's output open, so the call could not come back while it lives.
    const run = standIn(`sleep 600 & touch '${ready}'; wait`)
    const abort = new AbortController()
    const running = run({ args: ['fetch'], signal: abort.signal })
    await appears(ready)
    abort.abort()
    expect(await running).toMatchObject({ ok: false, error: { type: 'aborted' } })
  })

  it('kills what does not end by itself', async () => {
    const ready = join(workshop.folder, 'ready')
    const run = standIn(`trap '' TERM; touch '${ready}'; while :; do sleep 0.1; done`)
    const abort = new AbortController()
    const running = run({ args: ['fetch'], signal: abort.signal })
    await appears(ready)
    abort.abort()
    expect(await running).toMatchObject({ error: { type: 'aborted' } })
  })

  it('ends a helper that outlives git', async () => {
    const ready = join(workshop.folder, 'ready')
    const run = standIn(`(trap '' TERM; touch '${ready}'; while :; do sleep 0.1; done) & exit 0`)
    const abort = new AbortController()
    const running = run({ args: ['fetch'], signal: abort.signal })
    await appears(ready)
    abort.abort()
    expect(await running).toMatchObject({ error: { type: 'aborted' } })
  })

  it('stops at its limit of output, and says so or keeps what fits', async () => {
    const run = standIn('yes line')
    expect(await run({ args: [], maxOutputBytes: 1_000 })).toMatchObject({
      error: { type: 'too_much_output' },
    })
    const cut = await run({ args: [], maxOutputBytes: 1_000, whenOver: 'cut' })
    expect(cut).toMatchObject({ ok: true, value: { isCut: true, exitCode: 0 } })
    expect(cut.ok && cut.value.stdout.length).toBe(1_000)
  })

  it('stops at its deadline', async () => {
    expect(await standIn('sleep 600')({ args: [], timeoutMs: 50 })).toMatchObject({
      error: { type: 'timed_out' },
    })
  })

  it('does not mind a git that reads none of its input', async () => {
    const run = standIn('exec <&-; exit 3')
    expect(await run({ args: [], stdin: Buffer.alloc(5_000_000) })).toMatchObject({
      ok: true,
      value: { exitCode: 3 },
    })
  })

  it('says that git is missing', async () => {
    const run = createRunGit({ homeFolder: join(workshop.folder, 'home'), program: 'no-such-git' })
    expect(await run({ args: ['--version'] })).toMatchObject({ error: { type: 'git_missing' } })
  })
})
