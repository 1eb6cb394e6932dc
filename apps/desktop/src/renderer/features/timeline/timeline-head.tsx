/** The names of the columns. Screen readers get whole sentences per row instead. */
export function TimelineHead() {
  return (
    <div className="timeline-head" aria-hidden="true">
      <span />
      <span>Phase and agent</span>
      <span className="timeline-wide">Session and id</span>
      <span>Memory</span>
      <span className="text-right">Time, cost</span>
      <span className="timeline-wide justify-end">Tokens, start</span>
      <span>Outcome</span>
    </div>
  )
}
