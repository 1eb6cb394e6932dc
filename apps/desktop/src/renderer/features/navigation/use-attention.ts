import { useQueryEntry } from '../../lib/use-query-entry'
import { countAgentProblems } from './agent-problems'

/** How many installed agents cannot work as they are. */
export function useAgentProblems(): number {
  const { data } = useQueryEntry('app.agents', {})
  return countAgentProblems(data ?? [])
}
