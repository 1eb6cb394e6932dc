import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** Within so many pixels of its end a list counts as being at it. */
const nearEnd = 24

export interface Following {
  readonly isFollowing: boolean
  /** Rows that came below while the list did not follow. */
  readonly newBelow: number
  readonly onScroll: () => void
  readonly follow: () => void
}

export interface FollowingOptions {
  readonly scroller: RefObject<HTMLElement | null>
  /** Height of all rows, in pixels. */
  readonly height: number
  readonly rowCount: number
  /** Key of the last row: a new one came if it changes. */
  readonly lastKey: string | undefined
  /** Null: begin at the end. */
  readonly initialScrollTop: number | null
  readonly onPlace: (scrollTop: number | null) => void
}

/** Sticks to the end of a list that grows there, as long as it is looked at; else counts what came. */
export function useFollowing({
  scroller,
  height,
  rowCount,
  lastKey,
  initialScrollTop,
  onPlace,
}: FollowingOptions): Following {
  const [isFollowing, setFollowing] = useState(initialScrollTop === null)
  const [seen, setSeen] = useState({ rowCount, lastKey })
  const isPlaced = useRef(false)

  const toEnd = useCallback(() => {
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }, [scroller])

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || rowCount === 0) return
    if (!isPlaced.current && initialScrollTop !== null) element.scrollTop = initialScrollTop
    else if (isFollowing) toEnd()
    isPlaced.current = true
  }, [scroller, height, rowCount, isFollowing, toEnd, initialScrollTop])

  if (isFollowing && (seen.lastKey !== lastKey || seen.rowCount !== rowCount)) setSeen({ rowCount, lastKey })

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (!element || !isPlaced.current) return
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= nearEnd
    setFollowing(isAtEnd)
    onPlace(isAtEnd ? null : element.scrollTop)
  }, [scroller, onPlace])

  return {
    isFollowing,
    newBelow: isFollowing || seen.lastKey === lastKey ? 0 : Math.max(1, rowCount - seen.rowCount),
    onScroll,
    follow: () => {
      setFollowing(true)
      toEnd()
    },
  }
}
