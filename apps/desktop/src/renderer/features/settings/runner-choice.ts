import type { SettingScope } from '@shared/model/settings'
import { isForOneProject } from '@shared/model/setting-consent'
import { runnerSchema, type Runner } from '@shared/model/words'

export interface RunnerOption {
  readonly value: Runner
  readonly label: string
  readonly note?: string
}

/** The runners that a scope can have: this computer itself is agreed to for one project at a time. */
export const runnerOptions = (scope: SettingScope): readonly RunnerOption[] =>
  runnerSchema.options
    .filter((runner) => scope === 'project' || !isForOneProject('AGENT_RUNNER', runner))
    .map((runner) => ({
      value: runner,
      label: runner,
      ...(runner === 'host' ? { note: 'no sandbox' } : {}),
    }))
