import type { ForgeProblem } from '@shared/contract/forges'
import type { ForgeId } from '@shared/model/ids'
import type { Project } from '@shared/model/records'
import { err, type Result } from '@shared/result'
import type { Clock } from '../../ports/clock'
import type { ForgeConnector } from '../../ports/forge-connector'
import type { Secrets } from '../../ports/secrets'
import type { Store } from '../../ports/stores'
import type { ChangeFeed } from '../status/change-feed'

export interface ForgeParts {
  readonly store: Store
  readonly clock: Clock
  readonly secrets: Secrets
  readonly connector: ForgeConnector
  readonly changes: ChangeFeed
  /** Variable of the environment that a secret of this name is read from first. */
  readonly environmentName: (name: string) => string
  /** Deletes what a project's mailboxes left in the data folder. */
  readonly removeData: (project: Project) => Promise<void>
  readonly onProjectsChanged: () => void
  /** Asks the forge's projects at once, however long they should wait. */
  readonly pollNow: (forgeId: ForgeId) => void
}

export type ForgeAnswer<T> = Promise<Result<T, ForgeProblem>>

export const problem = (
  type: ForgeProblem['type'],
  message: string,
): { readonly ok: false; readonly error: ForgeProblem } => err({ type, message })
