import { useSyncExternalStore } from 'react'

/** Below this the sidebar is a rail, and what is beside it folds. */
export const narrowWindow = '(max-width: 1080px)'

/** Whether a media query holds now. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}
