import type { StartFailure } from '@shared/contract/shell-bridge'
import { err, type Result } from '@shared/result'
import type { EngineCalls } from '../ipc/electron-transport'
import type { Notifier } from '../ports/notifications'

/** The engine as the shell sees it. */
export interface DesktopEngine {
  readonly calls: EngineCalls
  /** The computer slept: what runs is looked at again. */
  wake(): void
  /** Lets containers run on, closes the database and frees the data folder. */
  close(): Promise<void>
}

export interface DesktopEngineOptions {
  readonly home: string
  readonly resources: string
  readonly notifier: Notifier
}

export async function startDesktopEngine(options: DesktopEngineOptions): Promise<Result<DesktopEngine, StartFailure>> {
  return err({ type: 'unexpected', message: `there is no engine yet for ${options.home}` })
}
