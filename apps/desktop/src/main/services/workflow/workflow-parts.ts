import { createHash } from 'node:crypto'
import type { Project } from '@shared/model/records'
import type { Redact } from '../../core/redact/redact'
import type { Digest } from '../../core/workflow/facts'
import type { Clock } from '../../ports/clock'
import type { Forge } from '../../ports/forge'
import type { Logger } from '../../ports/logger'
import type { Store } from '../../ports/stores'
import type { SettingReader } from '../settings/setting-values'
import type { ChangeFeed } from '../status/change-feed'
import type { RunPusher, RunRequests } from './ports-of-workflow'

/** What the workflow services are made of. */
export interface WorkflowParts {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly redact: Redact
  readonly settings: SettingReader
  readonly changes: ChangeFeed
  readonly forgeOf: (project: Project) => Forge
  readonly runs: RunRequests
  readonly pusher: RunPusher
  /** Forge user ids of the people who own the project's repository. */
  readonly ownerIdsOf: (project: Project) => readonly string[]
}

export const sha256: Digest = (text) => createHash('sha256').update(text, 'utf8').digest('hex')

/** How long a change waits for its first commit status. The local forge has none, so there is nothing to wait for. */
export const statusGraceMs = (forgeKind: string): number => (forgeKind === 'local' ? 0 : 60_000)
