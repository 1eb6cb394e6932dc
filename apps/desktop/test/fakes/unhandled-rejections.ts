/**
 * What nobody took while the work went on, and a moment longer: a rejection counts as unhandled only once the
 * microtasks after it are done.
 */
export async function unhandledDuring(work: () => Promise<unknown>): Promise<readonly unknown[]> {
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  try {
    await work()
    for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate)
  } finally {
    process.off('unhandledRejection', note)
  }
  return unhandled
}
