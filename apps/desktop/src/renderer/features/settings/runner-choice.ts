import { needsConsent, type SettingScope } from '@shared/model/settings'
import { runnerSchema, type Runner } from '@shared/model/words'

export interface RunnerOption {
  readonly value: Runner
  readonly label: string
  readonly note?: string
}

/** The runners that a scope can have: what a person must agree to, they agree to for one project. */
export const runnerOptions = (scope: SettingScope): readonly RunnerOption[] =>
  runnerSchema.options
    .filter((runner) => scope === 'project' || !needsConsent('AGENT_RUNNER', runner))
    .map((runner) => ({
      value: runner,
      label: runner,
      ...(runner === 'host' ? { note: 'no sandbox' } : {}),
    }))

/** What is asked before the agents of a project run on this computer. */
export const hostConsentWords = {
  title: 'Run the agents of this project on this computer?',
  text: "Without a container an agent runs as your user, without a sandbox: it can read and change whatever you can. It gets a home folder of its own inside Alfred's data folder.",
  confirmLabel: 'Run them here',
} as const
