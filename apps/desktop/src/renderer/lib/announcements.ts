/** At most one message in this time, so that a screen reader can finish its sentence. */
export const announcePauseMs = 3_000

export interface AnnouncementTimer {
  readonly now: () => number
  readonly later: (action: () => void, ms: number) => void
}

/**
 * Says messages one after the other with a pause between them; of several about the same thing (a run) only the
 * latest is said.
 */
export function createAnnouncements(say: (text: string) => void, timer: AnnouncementTimer) {
  const waiting = new Map<string, string>()
  let lastAt = -Infinity
  let isPlanned = false
  const next = (): void => {
    isPlanned = false
    const first = waiting.entries().next().value
    if (!first) return
    waiting.delete(first[0])
    lastAt = timer.now()
    say(first[1])
    plan()
  }
  const plan = (): void => {
    if (isPlanned || waiting.size === 0) return
    isPlanned = true
    timer.later(next, Math.max(0, lastAt + announcePauseMs - timer.now()))
  }
  const announce = (about: string, text: string): void => {
    waiting.set(about, text)
    plan()
  }
  return { announce }
}
