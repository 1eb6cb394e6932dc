import { execFileSync } from 'node:child_process'
import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { countTurns } from '../fakes/model-server/answers'
import type { ModelServer } from '../fakes/model-server/model-server'
import { askedOf, expectRemembered, firstPrompt, laterPrompt, resuming, withState, type Check } from './check'
import type { CliStart } from './cli-sandbox'
import { providerChecks } from './provider-checks'

/*
 * The checks of the matrix, in its order.
 */

const fresh: Check = {
  name: 'fresh',
  capMs: 90_000,
  ofLowest: true,
  async run(context) {
    const { id, start, sandbox } = await context.prior()
    expect(start.hasSucceeded).toBe(true)
    expect(start.proof).toBe('fresh')
    expect(sandbox.adapter.sessionIdPattern.test(id)).toBe(true)
    expect(await sandbox.look(id)).toMatchObject({ bytes: expect.any(Number) as number })
    return sandbox.adapter.choosesId ? 'with the id that was chosen' : 'the CLI chose the id'
  },
}

const resume: Check = {
  name: 'resume',
  capMs: 60_000,
  ofLowest: true,
  async run(context) {
    const { id, sandbox } = await context.prior()
    context.model.play(countTurns)
    const start = await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 40_000 })
    expectRemembered(start, context.model)
    expect(start.bytes.after ?? 0).toBeGreaterThan(start.bytes.before ?? 0)
    return 'the request held the earlier turns'
  },
}

const onlyState: Check = {
  name: 'resume, only the state kept',
  capMs: 60_000,
  ofLowest: false,
  async run(context) {
    const { sandbox, id } = await withState(context)
    expectRemembered(
      await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 40_000 }),
      context.model,
    )
    return 'home, workspace and container were new'
  },
}

/** How a resume that cannot work was seen through: never as a session that went on. */
function expectSeenThrough(start: CliStart, model: ModelServer, failures: readonly string[]): string {
  expect(failures).toContain(start.resumeFailure)
  for (const { body } of askedOf(model)) expect(JSON.stringify(body)).not.toContain(firstPrompt)
  return start.proof === 'other'
    ? `begins another session without a word: stopped, ${start.resumeFailure}`
    : `refuses: ${start.resumeFailure}`
}

const missing: Check = {
  name: 'state missing',
  capMs: 60_000,
  ofLowest: true,
  async run(context) {
    const { id } = await context.prior()
    const sandbox = await context.sandbox()
    context.model.play(countTurns)
    const start = await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 40_000 })
    return expectSeenThrough(start, context.model, ['state_missing'])
  },
}

const corrupt: Check = {
  name: 'state corrupt',
  capMs: 60_000,
  ofLowest: false,
  async run(context) {
    const { sandbox, id } = await withState(context)
    for (const file of await filesBelow(sandbox.mailbox.state))
      await writeFile(file, 'not what was written\n')
    const start = await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 40_000 })
    return expectSeenThrough(start, context.model, ['state_missing', 'refused'])
  },
}

const malformedId = 'not-an-id'

const malformed: Check = {
  name: 'malformed id',
  capMs: 60_000,
  ofLowest: true,
  async run(context) {
    const { sandbox, id } = await withState(context)
    await expect(sandbox.start(resuming(malformedId), { prompt: laterPrompt })).rejects.toThrow(
      'must not reach a command line',
    )
    // What the CLI would do with it, if it ever got one.
    const start = await sandbox.start(resuming(id), {
      prompt: laterPrompt,
      limitMs: 40_000,
      changeArgv: (argv) => argv.map((word) => word.replace(id, malformedId)),
    })
    expect(start.proof).not.toBe('resumed')
    if (start.hasSucceeded) expect([start.proof, start.resumeFailure]).toEqual(['other', 'state_missing'])
    for (const { body } of askedOf(context.model)) expect(JSON.stringify(body)).not.toContain(firstPrompt)
    return start.proof === 'other'
      ? 'never asked for; the CLI alone would begin another session without a word'
      : 'never asked for; the CLI alone would refuse it'
  },
}

const readOnly: Check = {
  name: 'read-only state',
  capMs: 60_000,
  ofLowest: true,
  async run(context) {
    const { sandbox, id } = await withState(context)
    const { state } = sandbox.mailbox
    execFileSync('chmod', ['-R', 'a-w', state])
    try {
      const start = await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 40_000 })
      expect(start.bytes.after).toBe(start.bytes.before)
      if (!start.hasSucceeded) {
        expect(start.resumeFailure).not.toBe('unsupported_version')
        return start.resumeFailure === null
          ? 'fails, which says nothing of the session'
          : `refuses: ${start.resumeFailure}`
      }
      expectRemembered(start, context.model)
      return 'goes on and saves nothing, which the size tells'
    } finally {
      execFileSync('chmod', ['-R', 'u+w', state])
    }
  },
}

const killed: Check = {
  name: 'killed in mid-turn, then resumed',
  capMs: 90_000,
  ofLowest: false,
  async run(context) {
    const { sandbox, id } = await withState(context)
    const { model } = context
    model.play(() => ({ kind: 'hang', after: 'first_words' }))
    const cut = await sandbox.start(resuming(id), {
      prompt: 'This turn is cut off.',
      async whileRunning(container) {
        await model.until(({ turn }) => turn !== null && turn.tools.length > 0)
        await context.kill(container)
      },
    })
    expect(cut.hasSucceeded).toBe(false)
    expect(cut.resumeFailure).toBeNull()
    model.play(countTurns)
    expectRemembered(await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 40_000 }), model)
    return 'the turns before it were kept'
  },
}

const unreadable: Check = {
  name: 'state unreadable',
  capMs: 60_000,
  ofLowest: false,
  async run(context) {
    const { sandbox, id } = await withState(context)
    const files = await filesBelow(sandbox.mailbox.state)
    for (const file of files) await chmod(file, 0o000)
    const start = await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 40_000 })
    await Promise.all(files.map((file) => rm(file, { force: true })))
    if (start.resumeFailure === null) {
      expect([start.hasSucceeded, start.proof]).toEqual([false, 'none'])
      return 'fails, which says nothing of the session'
    }
    return expectSeenThrough(start, context.model, ['state_missing', 'refused'])
  },
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

export const checks: readonly Check[] = [
  fresh,
  resume,
  onlyState,
  missing,
  corrupt,
  unreadable,
  malformed,
  readOnly,
  killed,
  ...providerChecks,
]
