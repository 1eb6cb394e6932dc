import type { RefObject } from 'react'
import { usePreferences } from '../../lib/preferences'
import { useMediaQuery } from '../../lib/use-media-query'
import { useWidth } from '../../lib/use-width'

export type TimelineLayout = 'wide' | 'narrow'

/** What all columns need at least, at normal text size. Pixels. */
const wideFrom = 768

/** Whether all columns have room: it takes a window that is roomy and a pane that is. */
export function useTimelineLayout(pane: RefObject<HTMLElement | null>): TimelineLayout {
  const textScale = usePreferences((state) => state.textScale)
  const isRoomy = useMediaQuery('(min-width: 1121px)')
  const width = useWidth(pane)
  return isRoomy && width >= wideFrom * Math.max(1, textScale) ? 'wide' : 'narrow'
}
