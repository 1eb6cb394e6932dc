import { execFileSync } from 'node:child_process'
import { chmod, readFile, readdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect } from 'vitest'
import { countTurns, say, type Answer } from '../fakes/model-server/answers'
import type { ModelServer } from '../fakes/model-server/model-server'
import { ageState } from './aged-state'
import {
  askedOf,
  expectFreshAfter,
  expectRemembered,
  firstPrompt,
  laterPrompt,
  resuming,
  withState,
  type Check,
} from './check'
import { sessionName, type CliStart } from './cli-sandbox'
import type { ReadOnlyWay } from './clis-under-test'
import { providerChecks } from './provider-checks'

/*
 * The checks of the matrix, in its order.
 */

const fresh: Check = {
  name: 'fresh',
  capMs: 200_000,
  ofLowest: true,
  async run(context) {
    const { id, start, sandbox } = await context.prior()
    expect(start.hasSucceeded).toBe(true)
    expect(start.proof).toBe('fresh')
    expect(sandbox.adapter.sessionIdPattern.test(id)).toBe(true)
    expect(await sandbox.look(id)).toMatchObject({ bytes: expect.any(Number) as number, isReadOnly: false })
    return sandbox.adapter.choosesId ? 'with the id that was chosen' : 'the CLI chose the id'
  },
}

/** The state is kept and the rest may be shown to people, so none of it may hold what signs the CLI in. */
const secret: Check = {
  name: 'login nowhere but in its environment',
  capMs: 200_000,
  ofLowest: false,
  async run(context) {
    const { sandbox, start } = await context.prior()
    const { key } = context
    expect(context.model.sawKey(key)).toBe(true)
    expect(start.container).toContain(sandbox.adapter.versionCommand[0])
    expect(start.container).not.toContain(key)
    const { state, folder } = sandbox.mailbox
    const files = await filesBelow(folder)
    expect(files.some((file) => file.startsWith(state))).toBe(true)
    expect(files).toContain(join(start.output, 'stream.out'))
    for (const file of files)
      if ((await readFile(file)).includes(key)) throw new Error(`the key is in ${relative(folder, file)}`)
    return 'in no state, workspace, argument, label or output'
  },
}

const resume: Check = {
  name: 'resume',
  capMs: 120_000,
  ofLowest: true,
  async run(context) {
    const { id, sandbox } = await context.prior()
    context.model.play(countTurns)
    const start = await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 90_000 })
    expectRemembered(start, context.model)
    expect(start.bytes.after ?? 0).toBeGreaterThan(start.bytes.before ?? 0)
    return 'the request held the earlier turns'
  },
}

const onlyState: Check = {
  name: 'resume, only the state kept',
  capMs: 120_000,
  ofLowest: false,
  async run(context) {
    const { sandbox, id } = await withState(context)
    expectRemembered(
      await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 90_000 }),
      context.model,
    )
    return 'home, workspace and container were new'
  },
}

/** How a resume that cannot work was seen through: never as a session that went on. */
function expectSeenThrough(start: CliStart, model: ModelServer): string {
  expect(start.resumeFailure).toBe('state_missing')
  for (const { body } of askedOf(model)) expect(JSON.stringify(body)).not.toContain(firstPrompt)
  return start.proof === 'other'
    ? `begins another session without a word: stopped, ${start.resumeFailure}`
    : `refuses: ${start.resumeFailure}`
}

const missing: Check = {
  name: 'state missing',
  capMs: 120_000,
  ofLowest: true,
  async run(context) {
    const { id } = await context.prior()
    const sandbox = await context.sandbox()
    context.model.play(countTurns)
    const start = await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 90_000 })
    return expectSeenThrough(start, context.model)
  },
}

const corrupt: Check = {
  name: 'state corrupt',
  capMs: 200_000,
  ofLowest: false,
  async run(context) {
    const { sandbox, id } = await withState(context)
    for (const file of await filesBelow(sandbox.mailbox.state))
      await writeFile(file, 'not what was written\n')
    const start = await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 90_000 })
    const words = expectSeenThrough(start, context.model)
    await expectFreshAfter(sandbox, start)
    return words
  },
}

const malformedId = 'not-an-id'

const malformed: Check = {
  name: 'malformed id',
  capMs: 120_000,
  ofLowest: true,
  async run(context) {
    const { sandbox, id } = await withState(context)
    await expect(sandbox.start(resuming(malformedId), { prompt: laterPrompt })).rejects.toThrow(
      'must not reach a command line',
    )
    // What the CLI would do with it, if it ever got one.
    const start = await sandbox.start(resuming(id), {
      prompt: laterPrompt,
      limitMs: 90_000,
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

const readOnlyWords: Readonly<Record<ReadOnlyWay, string>> = {
  goes_on: 'goes on and saves nothing, which the size tells',
  refused: 'refuses: refused',
  refused_in_sight: 'refuses as if it were gone; a look at the state tells: refused',
  fails: 'fails in words that may mean something else: no fallback, and the look at the state warns',
}

const readOnly: Check = {
  name: 'read-only state',
  capMs: 120_000,
  ofLowest: true,
  async run(context) {
    const { sandbox, id } = await withState(context)
    const { state } = sandbox.mailbox
    const { model, ways } = context
    execFileSync('chmod', ['-R', 'a-w', state])
    try {
      const start = await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 90_000 })
      expect(start.bytes.after).toBe(start.bytes.before)
      // Whatever the CLI says, the run tells that nothing can be saved.
      expect((await sandbox.look(id)).isReadOnly).toBe(true)
      expect(wayOf(start, askedOf(model).length)).toBe(ways.readOnly)
      if (ways.readOnly === 'goes_on') expectRemembered(start, model)
      return readOnlyWords[ways.readOnly]
    } finally {
      execFileSync('chmod', ['-R', 'u+w', state])
    }
  },
}

function wayOf(start: CliStart, asked: number): string {
  const { hasSucceeded, resumeFailure, toldFailure } = start
  if (hasSucceeded) return 'goes_on'
  if (resumeFailure === null) return asked === 0 ? 'fails' : `fails, asked ${asked}`
  if (resumeFailure !== 'refused' || asked > 0) return `falls back, asked ${asked}: ${resumeFailure}`
  return toldFailure === 'refused' ? 'refused' : 'refused_in_sight'
}

const killed: Check = {
  name: 'killed in mid-turn, then resumed',
  capMs: 200_000,
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
    expectRemembered(await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 90_000 }), model)
    return 'the turns before it were kept'
  },
}

const unreadable: Check = {
  name: 'state unreadable',
  capMs: 200_000,
  ofLowest: false,
  async run(context) {
    const { sandbox, id } = await withState(context)
    const files = await filesBelow(sandbox.mailbox.state)
    for (const file of files) await chmod(file, 0o000)
    const start = await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 90_000 })
    const words = expectSeenThrough(start, context.model)
    await expectFreshAfter(sandbox, start)
    return words
  },
}

const oldDays = 60

/** So long that a clean-up which waits until a run is under way has its turn. */
const slowly: Answer = { kind: 'text', text: 'a b c d e f g h i j', overMs: 20_000 }

const old: Check = {
  name: `memory of ${oldDays} days`,
  capMs: 200_000,
  ofLowest: false,
  async run(context) {
    const { sandbox, id } = await withState(context)
    const { model } = context
    await ageState(sandbox.mailbox.state, oldDays)
    sandbox.own()
    model.play(({ tools }) => (tools.length > 0 ? slowly : say('a title')))
    const chosenId = sandbox.adapter.choosesId ? crypto.randomUUID() : null
    const beside = await sandbox.start(
      { mode: 'fresh', name: sessionName, chosenId },
      { prompt: laterPrompt, limitMs: 90_000 },
    )
    expect(beside.proof).toBe('fresh')
    expect(beside.hasSucceeded).toBe(true)
    model.play(countTurns)
    expectRemembered(await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 90_000 }), model)
    return 'kept, and resumed after another session ran beside it'
  },
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

export const checks: readonly Check[] = [
  fresh,
  secret,
  resume,
  onlyState,
  missing,
  corrupt,
  unreadable,
  malformed,
  readOnly,
  killed,
  old,
  ...providerChecks,
]
