import { useQueryEntry } from '../../lib/use-query-entry'

/**
 * How many installed agents cannot work as they are: no login, or a login that has expired. The api mode is in every
 * image, whether anybody wants it or not, so it is not counted.
 */
export function useAgentProblems(): number {
  const { data } = useQueryEntry('app.agents', {})
  return (data ?? []).filter(
    ({ adapter, loginState }) => adapter !== 'api' && (loginState === 'expired' || loginState === 'missing'),
  ).length
}
