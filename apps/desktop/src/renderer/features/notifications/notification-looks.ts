import type { IconName } from '../../components/icon'

const looks: Readonly<Record<string, { readonly icon: IconName; readonly colour: string }>> = {
  'run-finished': { icon: 'circle-check', colour: 'text-ok' },
  'run-finished-fallback': { icon: 'unlink', colour: 'text-warn' },
  'needs-you': { icon: 'inbox', colour: 'text-warn' },
  blocked: { icon: 'ban', colour: 'text-bad' },
  interrupted: { icon: 'plug', colour: 'text-warn' },
  'login-expiring': { icon: 'lock', colour: 'text-warn' },
  budget: { icon: 'warning', colour: 'text-warn' },
  grouped: { icon: 'list', colour: 'text-ink-2' },
}

/** The picture of a kind of notification; kinds may be written with `_` as well. */
export const notificationLook = (kind: string): { readonly icon: IconName; readonly colour: string } =>
  looks[kind.replaceAll('_', '-')] ?? { icon: 'info', colour: 'text-ink-2' }
