/** Runs what has the same key one after the other, and the rest at once. A failure fails its own call only. */
export function createKeyedQueue(): <T>(key: string, step: () => Promise<T>) => Promise<T> {
  const lastByKey = new Map<string, Promise<unknown>>()
  return async (key, step) => {
    const before = lastByKey.get(key) ?? Promise.resolve()
    const mine = before.then(step, step)
    lastByKey.set(key, mine)
    try {
      return await mine
    } finally {
      if (lastByKey.get(key) === mine) lastByKey.delete(key)
    }
  }
}
