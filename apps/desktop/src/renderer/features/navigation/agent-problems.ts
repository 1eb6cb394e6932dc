import type { InstallationRow } from '@shared/contract/app'

type Login = Pick<InstallationRow, 'adapter' | 'loginState' | 'projectLogins'>

/**
 * How many agents cannot work as they are: no login, or a login that has expired, for the app or for a project that
 * uses them. The api mode is in every image, whether anybody wants it or not: it counts only where a project uses it.
 */
export const countAgentProblems = (rows: readonly Login[]): number =>
  rows.filter(
    ({ adapter, loginState, projectLogins }) =>
      (adapter !== 'api' && isBad(loginState)) || projectLogins.some((login) => isBad(login.loginState)),
  ).length

const isBad = (state: InstallationRow['loginState']): boolean => state === 'expired' || state === 'missing'
