import { create } from 'zustand'
import { createAnnouncements } from './announcements'

/** What the window's one polite live region says now; `count` makes the same words twice two messages. */
export const useAnnouncement = create<{ readonly text: string; readonly count: number }>(() => ({
  text: '',
  count: 0,
}))

/** Tells a screen reader; `about` names the thing (a run), of which only the latest message is said. */
export const { announce } = createAnnouncements(
  (text) => useAnnouncement.setState(({ count }) => ({ text, count: count + 1 })),
  { now: () => Date.now(), later: (action, ms) => void setTimeout(action, ms) },
)
