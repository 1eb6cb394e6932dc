import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { useKeptCode } from './kept-code'
import type { ThreadPlace, ThreadTask } from './messages'

/*
 * Where the engine lives in the desktop: in a thread of its own, so that nothing that it does, from reading its code
 * to a checkpoint of the database, holds up the window's.
 */

/** So long after the first picture, when nobody waits for this thread any more. */
const keepAfterMs = 3_000

if (parentPort === null) throw new Error('this is the engine of a window, and no program of its own')
const port = parentPort
const { home } = workerData as ThreadPlace
const code = useKeptCode(join(home, 'window', 'engine-code'))
// read at once: what is to be done is told when the app is ready, which takes as long
const program = import('./engine-task')
port.once('message', (task: ThreadTask) => {
  void program.then(({ carryOutTask }) =>
    carryOutTask(port, task, () => setTimeout(() => code.keep(), keepAfterMs).unref()),
  )
})
