import type { ChangeEvent, EngineStatus } from '@shared/contract/app'
import type { MailboxRow } from '@shared/contract/mailboxes'
import type { SettingRow } from '@shared/contract/settings'
import type { Result } from '@shared/result'

/*
 * What the tray and the badge follow. The shell asks the engine over the same contract as the window.
 */

export interface EngineAccess {
  invoke(channel: string, input: unknown): Promise<Result<unknown, unknown>>
  subscribe(channel: string, key: unknown, listener: (event: unknown) => void): Result<() => void, unknown>
}

export interface ShellEngine {
  status(): Promise<EngineStatus | null>
  listNeedsYou(): Promise<readonly MailboxRow[]>
  setPaused(isPaused: boolean): Promise<void>
  stopAll(): Promise<void>
  openedNotification(id: number): Promise<void>
  /** The setting START_AT_LOGIN; null: there is no answer. */
  startsAtLogin(): Promise<boolean | null>
  /** Calls back after each change of the settings; returns what ends it. */
  onSettingsChanged(listener: () => void): () => void
  /** Calls back with each new status, at once with the first; returns what ends it. */
  follow(listener: (status: EngineStatus) => void): () => void
}

const longestSubmenu = 12

/** The few questions of the shell, typed; the dispatcher holds the answers to the contract. */
export function shellEngine(access: EngineAccess): ShellEngine {
  const ask = async <T>(channel: string, input: unknown): Promise<T | null> => {
    const answer = await access.invoke(channel, input)
    return answer.ok ? (answer.value as T) : null
  }
  const status = (): Promise<EngineStatus | null> => ask<EngineStatus>('app.status', {})
  return {
    status,
    async listNeedsYou() {
      const input = { filter: 'needs-you', projectId: null, text: null, limit: longestSubmenu, before: null }
      return (await ask<{ rows: readonly MailboxRow[] }>('mailboxes.list', input))?.rows ?? []
    },
    async setPaused(isPaused) {
      await ask('app.setPaused', { isPaused })
    },
    async stopAll() {
      await ask('runs.stopAll', {})
    },
    async openedNotification(id) {
      await ask('app.openedNotification', { id })
    },
    async startsAtLogin() {
      const rows = await ask<readonly SettingRow[]>('settings.list', { scope: 'app', scopeId: 0 })
      const row = rows?.find(({ key }) => key === 'START_AT_LOGIN')
      return row === undefined ? null : row.value === true
    },
    onSettingsChanged(listener) {
      const subscription = access.subscribe('app.changes', null, (event) => {
        const { events } = event as { readonly events: readonly ChangeEvent[] }
        if (events.some(({ type }) => type === 'settings')) listener()
      })
      return subscription.ok ? subscription.value : () => undefined
    },
    follow(listener) {
      const subscription = access.subscribe('app.statusChanges', null, (event) =>
        listener(event as EngineStatus),
      )
      void status().then((first) => (first === null ? undefined : listener(first)))
      return subscription.ok ? subscription.value : () => undefined
    },
  }
}

/** Runs that a quit would leave behind. */
export const countLive = (status: EngineStatus): number =>
  status.runs.filter((run) => run.state !== 'queued').length
