import type { Project } from '@shared/model/records'
import type { AgentAdapters } from '../../ports/agent-adapter'
import type { Clock } from '../../ports/clock'
import type { Forge } from '../../ports/forge'
import type { Git } from '../../ports/git'
import type { Store } from '../../ports/stores'
import type { TimelineReader } from '../../ports/timeline-reader'
import type { DataPaths } from '../runs/data-paths'
import type { RunActivities } from '../runs/run-activities'
import type { RunFiles } from '../runs/run-files'
import type { SettingReader } from '../settings/setting-values'

export interface QueryParts {
  readonly store: Store
  readonly timeline: TimelineReader
  readonly settings: SettingReader
  readonly clock: Clock
  readonly git: Git
  readonly adapters: AgentAdapters
  readonly forgeOf: (project: Project) => Forge
  readonly paths: DataPaths
  readonly files: RunFiles
  readonly activities: RunActivities
  readonly allowsDemonstration: boolean
  /** Why queued runs wait, beside slots. */
  readonly waiting: () => 'paused' | 'disk' | 'docker' | null
  readonly nextPollAt: () => number | null
}
