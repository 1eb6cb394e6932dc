/*
 * Reading the engine's code keeps this process busy for a fifth of a second, and meanwhile it hands the page neither
 * its files nor what it needs to paint. In pieces, with a turn for the page between them, both go on side by side.
 */

/** From what others need to what needs them; each reads what the ones before it have not. */
const pieces: readonly (() => Promise<unknown>)[] = [
  () => import('@shared/contract/index'),
  () => import('./open-data'),
  () => import('./compose-adapters'),
  () => import('./compose-services'),
  () => import('./compose-dispatch'),
]

/** After this `desktop-engine` is read in no time. */
export async function readEngineInPieces(): Promise<void> {
  for (const read of pieces) {
    await read()
    await turn()
  }
}

/** Lets what waits for this process go first. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))
