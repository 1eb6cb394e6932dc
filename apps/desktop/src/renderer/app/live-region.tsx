import { useAnnouncement } from '../lib/announcer'

/** The window's one polite live region. The same words twice are two messages. */
export function LiveRegion() {
  const { text, count } = useAnnouncement()
  return (
    <div role="status" aria-live="polite" className="sr" data-test="announcer">
      <span key={count}>{text}</span>
    </div>
  )
}
