import type { ReactNode } from 'react'

/** The names of the columns; screen readers get whole sentences per row instead. `jumper` stands over the thread line. */
export function TimelineHead({ jumper }: { readonly jumper?: ReactNode }) {
  return (
    <div className="timeline-head">
      <span className="pl-3">{jumper}</span>
      <span aria-hidden="true">Phase and agent</span>
      <span aria-hidden="true" className="timeline-wide">
        Session and id
      </span>
      <span aria-hidden="true">Memory</span>
      <span aria-hidden="true" className="text-right">
        Time, cost
      </span>
      <span aria-hidden="true" className="timeline-wide text-right">
        Tokens, start
      </span>
      <span aria-hidden="true">Outcome</span>
    </div>
  )
}
