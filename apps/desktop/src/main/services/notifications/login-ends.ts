import type { InstallationRow } from '@shared/contract/app'
import { endsSoon, loginSoonMs } from '@shared/login-end'
import type { Clock } from '../../ports/clock'
import type { NotificationStore } from '../../ports/stores'
import type { NotificationService } from './notification-service'
import { loginExpiringText, loginWords } from './notification-texts'

/*
 * Tells of logins that end soon, before runs have to wait for them.
 */

interface Parts {
  readonly store: NotificationStore
  readonly clock: Pick<Clock, 'now'>
  readonly notifications: Pick<NotificationService, 'tell'>
}

/** Further back nobody looks for what was told. */
const mostRemembered = 200

/** Each end is told once; a login that was renewed has another end. */
export function tellLoginEnds(
  { store, clock, notifications }: Parts,
  rows: readonly InstallationRow[],
): void {
  const now = clock.now()
  const told = store
    .list(mostRemembered)
    .filter(({ kind }) => kind === 'login-expiring')
    .map(({ title, createdAt }) => ({ title, createdAt }))
  const tellOnce = (login: string, adapter: InstallationRow['adapter'], endsAt: number): void => {
    const isTold = told.some(
      ({ title, createdAt }) => title.startsWith(`${login} `) && createdAt >= endsAt - loginSoonMs,
    )
    if (isTold) return
    const text = loginExpiringText(login, adapter, endsAt - now)
    told.push({ title: text.title, createdAt: now })
    notifications.tell(text, {})
  }
  for (const { adapter, version, loginState, loginEndsAt, projectLogins } of rows) {
    if (version === null) continue
    const logins = [{ projects: null, loginState, loginEndsAt }, ...projectLogins]
    for (const { projects, loginState: state, loginEndsAt: endsAt } of logins)
      if (state === 'found' && endsSoon(endsAt, now)) tellOnce(loginWords(adapter, projects), adapter, endsAt)
  }
}
