import type { Redact } from '../../core/redact/redact'
import { neutraliseControls } from '../../core/stream/control-sequences'

const mostPathsShown = 20

/** With it the sentence begins, by which a chat finds it again. */
export const uncommittedBeginning = 'Not committed: '

/** What lies in the workspace beside the commits, for the transcript; the agent chose the names. null: nothing. */
export function uncommittedWords(paths: readonly string[], redact: Redact): string | null {
  if (paths.length === 0) return null
  const shown = paths.slice(0, mostPathsShown).map((path) => redact(neutraliseControls(path)))
  const more = paths.length - shown.length
  return `${uncommittedBeginning}${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}
