import type { RunId } from '@shared/model/ids'

/** What a run does before its CLI prints anything; kept in memory, since it is only true while it happens. */
export interface RunActivity {
  readonly step: string
  /** 0 to 1; null when it is not known. */
  readonly fraction: number | null
}

export interface RunActivities {
  set(runId: RunId, activity: RunActivity): void
  clear(runId: RunId): void
  find(runId: RunId): RunActivity | null
}

export function createRunActivities(onChange: (runId: RunId) => void): RunActivities {
  const activityByRun = new Map<RunId, RunActivity>()
  return {
    set(runId, activity) {
      activityByRun.set(runId, activity)
      onChange(runId)
    },
    clear(runId) {
      if (activityByRun.delete(runId)) onChange(runId)
    },
    find: (runId) => activityByRun.get(runId) ?? null,
  }
}
