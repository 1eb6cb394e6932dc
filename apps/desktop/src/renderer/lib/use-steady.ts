import { useEffect, useRef, useState } from 'react'

/** Words that come and go faster than this cannot be read. */
const leastMs = 500

/** What is shown, and since when. Milliseconds of one clock. */
export interface Shown {
  readonly key: string
  readonly since: number
}

/** How long what is shown stays before something else takes its place; 0: it may go. */
export const staysFor = ({ since }: Shown, now: number): number => Math.max(0, since + leastMs - now)

/**
 * The value, each kept for at least half a second, so that no state only flickers by. `key` tells one from another
 * where values are made anew each time; what changes within one key shows at once.
 */
export function useSteady<T>(value: T, key = String(value)): T {
  const [shown, setShown] = useState<Shown>(() => ({ key, since: performance.now() }))
  // as it was last before its key changed
  const last = useRef(value)
  useEffect(() => {
    if (shown.key === key) last.current = value
  })
  useEffect(() => {
    if (shown.key === key) return
    const timer = setTimeout(
      () => setShown({ key, since: performance.now() }),
      staysFor(shown, performance.now()),
    )
    return () => clearTimeout(timer)
  }, [key, shown])
  return shown.key === key ? value : last.current
}
