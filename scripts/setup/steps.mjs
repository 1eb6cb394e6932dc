// One line per set-up step on standard error: what it does, how long it took, and in plain words why it failed.
// Standard output belongs to the program that is started afterwards.

import { cacheDir } from './places.mjs'

const stillWorkingEveryMs = 15_000

/** A step could not be done. The message says what failed and why, `todo` what a person can do about it. */
export class StepError extends Error {
  constructor(message, todo) {
    super(message)
    this.todo = todo
  }
}

export const say = (line) => process.stderr.write(`${line}\n`)

export const secondsSince = (startedAt) => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`

const line = (name, text) => say(`[set-up] ${name.padEnd(16)} ${text}`)

let tellReady = true

/** For commands whose own output is all that a person wants: what is ready already is not told. */
export function hushReady() {
  tellReady = false
}

/**
 * Runs one step. `find` is cheap and returns what is already there (with a `note`), else undefined;
 * `make` does the work after its `doing` line was printed.
 */
export async function step(name, { find, doing, make }) {
  const startedAt = performance.now()
  const found = await find()
  if (found !== undefined) {
    if (tellReady) line(name, `ready${found.note ? ` (${found.note})` : ''}, ${secondsSince(startedAt)}`)
    return found
  }
  line(name, `${doing} ...`)
  const heartbeat = setInterval(
    () => line(name, `still working, ${secondsSince(startedAt)}`),
    stillWorkingEveryMs,
  )
  try {
    const made = await make((text) => line(name, text))
    line(name, `done${made.note ? ` (${made.note})` : ''}, ${secondsSince(startedAt)}`)
    return made
  } catch (thrown) {
    const error = asStepError(thrown)
    explain(name, error, startedAt)
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

/** The same for something that Alfred can do without: says so and returns `otherwise`. */
export async function optionalStep(name, work, otherwise) {
  try {
    return await step(name, work)
  } catch (error) {
    if (!(error instanceof StepError)) throw error
    return otherwise
  }
}

const mends = {
  ENOSPC: 'free some disk space, then start again',
  EDQUOT: 'free some disk space, then start again',
  EACCES: 'let your user write there, then start again',
  EPERM: 'let your user write there, then start again',
  EROFS: 'make the file system writable, then start again',
  ENOTDIR: 'take away the file that is in the way, then start again',
  EEXIST: 'take away what is in the way, then start again',
}

/** What the file system refuses is nothing that a stack would help with. */
function asStepError(error) {
  const todo = mends[error?.code]
  if (error instanceof StepError || todo === undefined || error.syscall === undefined) return error
  const isInCache = [error.path, error.dest].some((file) => file?.startsWith(cacheDir))
  return new StepError(error.message, isInCache ? `${todo}; ALFRED_CACHE names another folder` : todo)
}

function explain(name, error, startedAt) {
  line(name, `FAILED after ${secondsSince(startedAt)}: ${error.message}`)
  if (error instanceof StepError) {
    error.told = true
    line(name, `what to do: ${error.todo}`)
  }
}

/** Ends a script that could not go on: a told step stays as it is, anything else is a defect with its stack. */
export function endWith(error) {
  if (!(error instanceof StepError)) say(error?.stack ?? String(error))
  else if (!error.told) say(`${error.message}\nwhat to do: ${error.todo}`)
  process.exit(1)
}
