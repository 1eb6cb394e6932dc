import { parentPort, workerData } from 'node:worker_threads'
import { createEngine } from '../compose'
import { restoreData } from '../restore-data'
import { serveWindowThread } from './engine-end'
import type { FromEngine, ThreadTask } from './messages'

/*
 * Where the engine lives in the desktop: in a thread of its own, so that nothing that it does, from reading its code
 * to a checkpoint of the database, holds up the window's.
 */

/** More than this many run folders that cannot be read are not shown one by one. */
const longestList = 100

if (parentPort === null) throw new Error('this is the engine of a window, and no program of its own')
const port = parentPort
const { task, home, resources, hasKeyring, ...options } = workerData as ThreadTask
const data = { dataFolder: home, kind: 'desktop', command: 'Alfred' } as const

if (task === 'engine') {
  await serveWindowThread(port, ({ notifier, keyring, workAfter }) =>
    createEngine({
      ...data,
      ...options,
      resourcesFolder: resources,
      notifier,
      work: 'works',
      workAfter,
      ...(hasKeyring && { keyring }),
    }),
  )
} else {
  const { version, nativeBinding } = options
  const restored = await restoreData({ ...data, version, nativeBinding })
  const result =
    restored.ok && restored.value !== null
      ? { ...restored, value: { ...restored.value, refused: restored.value.refused.slice(0, longestList) } }
      : restored
  port.postMessage({ type: 'restored', result } satisfies FromEngine)
}
