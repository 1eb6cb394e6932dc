import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { useKeptCode } from './kept-code'
import type { ThreadTask } from './messages'

/*
 * Where the engine lives in the desktop: in a thread of its own, so that nothing that it does, from reading its code
 * to a checkpoint of the database, holds up the window's.
 */

/** So long after the first picture, when nobody waits for this thread any more. */
const keepAfterMs = 3_000

if (parentPort === null) throw new Error('this is the engine of a window, and no program of its own')
const port = parentPort
const task = workerData as ThreadTask
const code = useKeptCode(join(task.home, 'window', 'engine-code'))
void import('./engine-task').then(({ carryOutTask }) =>
  carryOutTask(port, task, () => setTimeout(() => code.keep(), keepAfterMs).unref()),
)
