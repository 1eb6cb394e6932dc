import { useQueryEntry } from '../../lib/use-query-entry'

/** How many installed agents cannot work as they are: no login, or a login that has expired. */
export function useAgentProblems(): number {
  const { data } = useQueryEntry('app.agents', {})
  return (data ?? []).filter((row) => row.loginState === 'expired' || row.loginState === 'missing').length
}
