/** The engine took a call and has not answered within its limit. */
export class NoAnswer extends Error {}

/** A timer that comes later than this was held up together with the process. */
const heldUpMs = 1_000
/** An answer that came while the process was stopped is read within this. */
const graceMs = 2_000

/**
 * The work's own end, or `NoAnswer` after `limitMs`. A process that was stopped meanwhile, or slept with its
 * computer, first reads what came for it: its clock says that the limit has passed, but it did not listen.
 */
export function withLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  if (!Number.isFinite(limitMs)) return work
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const giveUp = (): void => reject(new NoAnswer())
    let timer = setTimeout(() => {
      const isHeldUp = performance.now() - startedAt > limitMs + heldUpMs
      if (isHeldUp) timer = setTimeout(giveUp, graceMs)
      else giveUp()
    }, limitMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
