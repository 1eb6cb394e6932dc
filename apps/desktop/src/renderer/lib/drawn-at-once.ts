import { useEffect, useState } from 'react'

/**
 * Options of a virtual list that draw its rows in its first picture, and not only after the list has been measured:
 * as if it were as high as the window without `around`, the pixels above and below it. `scrollTop` says where it
 * begins in a list of that height, if not at the top.
 */
export const drawnAtOnce = (around: number, scrollTop: (height: number) => number = () => 0) => {
  const height = Math.max(0, window.innerHeight - around)
  return {
    initialRect: { width: window.innerWidth, height },
    initialOffset: () => Math.max(0, scrollTop(height)),
  }
}

/** Rows beyond the edges of a virtual list: none in its first picture, `rows` once the window has time for them. */
export function useOverscan(rows: number): number {
  const [isFirst, setFirst] = useState(true)
  useEffect(() => {
    const waiting = requestIdleCallback(() => setFirst(false), { timeout: 500 })
    return () => cancelIdleCallback(waiting)
  }, [])
  return isFirst ? 0 : rows
}
