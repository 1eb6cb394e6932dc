import { useEffect, useState } from 'react'

/** Words that come and go faster than this cannot be read. */
const leastMs = 500

/** The value, each kept for at least half a second, so that no state only flickers by. */
export function useSteady<T extends string>(value: T): T {
  const [shown, setShown] = useState({ value, since: 0 })
  useEffect(() => {
    if (shown.value === value) return
    const wait = Math.max(0, shown.since + leastMs - performance.now())
    const timer = setTimeout(() => setShown({ value, since: performance.now() }), wait)
    return () => clearTimeout(timer)
  }, [value, shown])
  return shown.value
}
