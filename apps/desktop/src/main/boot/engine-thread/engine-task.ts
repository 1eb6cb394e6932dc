import type { MessagePort } from 'node:worker_threads'
import { createEngine } from '../compose'
import { restoreData } from '../restore-data'
import { serveWindowThread } from './engine-end'
import type { FromEngine, ThreadTask } from './messages'

/** More than this many run folders that cannot be read are not shown one by one. */
const longestList = 100

/** Does what the window's thread began this one for. `onCalm` is called once its first picture stands. */
export async function carryOutTask(
  port: MessagePort,
  { task, home, resources, hasKeyring, ...options }: ThreadTask,
  onCalm: () => void,
): Promise<void> {
  const data = { dataFolder: home, kind: 'desktop', command: 'Alfred' } as const
  if (task === 'engine') {
    return serveWindowThread(port, ({ notifier, keyring, workAfter }) => {
      void workAfter.then(onCalm)
      return createEngine({
        ...data,
        ...options,
        resourcesFolder: resources,
        notifier,
        work: 'works',
        workAfter,
        ...(hasKeyring && { keyring }),
      })
    })
  }
  const { version, nativeBinding } = options
  const restored = await restoreData({ ...data, version, nativeBinding })
  const result =
    restored.ok && restored.value !== null
      ? { ...restored, value: { ...restored.value, refused: restored.value.refused.slice(0, longestList) } }
      : restored
  port.postMessage({ type: 'restored', result } satisfies FromEngine)
}
