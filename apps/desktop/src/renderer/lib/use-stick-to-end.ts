import { useCallback, useLayoutEffect, useRef, useState } from 'react'

export interface StickToEnd {
  /** The list shows its end and goes with it. */
  readonly isFollowing: boolean
  readonly follow: () => void
  readonly leave: () => void
  readonly onScroll: () => void
}

/** Nearer to the end than this counts as being there. */
const nearEndPx = 24

/** Keeps a list at its end while the person is there; scrolling up, selecting text or going to a row leaves it. */
export function useStickToEnd(
  scroller: { readonly current: HTMLElement | null },
  totalSize: number,
  rowCount: number,
): StickToEnd {
  const [isFollowing, setFollowing] = useState(true)
  const lastTop = useRef(0)

  const set = useCallback((next: boolean) => setFollowing(next), [])

  const toEnd = useCallback(() => {
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }, [scroller])

  useLayoutEffect(() => {
    if (isFollowing) toEnd()
  }, [isFollowing, totalSize, rowCount, toEnd])

  return {
    isFollowing,
    follow: useCallback(() => {
      set(true)
      toEnd()
    }, [set, toEnd]),
    leave: useCallback(() => set(false), [set]),
    onScroll: () => {
      const element = scroller.current
      if (!element) return
      const fromEnd = element.scrollHeight - element.scrollTop - element.clientHeight
      const wentUp = element.scrollTop < lastTop.current - 1
      lastTop.current = element.scrollTop
      if (fromEnd <= nearEndPx) set(true)
      else if (wentUp) set(false)
    },
  }
}
