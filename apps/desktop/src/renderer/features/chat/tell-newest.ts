/**
 * Tells what changed, one change of a thing at a time: what changes while one is told is told afterwards, once. `tell`
 * reads what is there then, so that the last that is told is the newest.
 */
export function createTeller<Key>(tell: (key: Key) => Promise<unknown>): (key: Key) => void {
  /** What is being told; true: it changed meanwhile. */
  const telling = new Map<Key, boolean>()
  const tellOn = async (key: Key): Promise<void> => {
    do {
      telling.set(key, false)
      await tell(key)
    } while (telling.get(key) === true)
    telling.delete(key)
  }
  return (key) => {
    if (telling.has(key)) telling.set(key, true)
    else void tellOn(key)
  }
}
