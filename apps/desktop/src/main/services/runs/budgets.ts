import { formatCost } from '@shared/format'
import type { RunFailure } from '@shared/contract/runs'
import type { Project, Run } from '@shared/model/records'
import type { Clock } from '../../ports/clock'
import type { Store } from '../../ports/stores'
import type { SettingReader } from '../settings/setting-values'
import { startOfDay } from '../start-of-day'
import { failure } from './run-parts'

/*
 * What may be spent: by one run (RUN_BUDGET_USD), and in a day by all runs of the scope that says so (DAY_BUDGET_USD).
 * Only costs that a CLI tells are known; the others count for nothing.
 */

interface Parts {
  readonly store: Store
  readonly settings: SettingReader
  readonly clock: Pick<Clock, 'now'>
}

/** Why the run must not go on; null: it may. */
export function runBudgetUsed(
  { store }: Pick<Parts, 'store'>,
  run: Pick<Run, 'id'>,
  budgetUsd: number | null,
): RunFailure | null {
  if (budgetUsd === null) return null
  const spent = store.sessions.listByRun(run.id).reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
  return spent < budgetUsd
    ? null
    : failure(
        'budget_used',
        `The run has cost ${formatCost(spent)}; its budget is ${formatCost(budgetUsd)} (RUN_BUDGET_USD).`,
      )
}

export interface DayBudget {
  readonly budgetUsd: number
  readonly spentUsd: number
}

/** The budget of the day that holds for a project, and what its scope has spent today; null: there is none. */
export function dayBudgetOf({ store, settings, clock }: Parts, project: Project): DayBudget | null {
  const { values, origins } = settings.of(project)
  const budgetUsd = values.DAY_BUDGET_USD
  if (budgetUsd === null) return null
  const scope = origins.DAY_BUDGET_USD
  const projects = store.forges
    .listProjects()
    .filter(
      ({ id, organizationId }) =>
        (scope === 'project' && id === project.id) ||
        (scope === 'organization' && organizationId === project.organizationId),
    )
  const within = scope === 'project' || scope === 'organization' ? projects.map(({ id }) => id) : null
  const { knownUsd } = store.sessions.costSince(startOfDay(clock.now()), within)
  return { budgetUsd, spentUsd: knownUsd }
}

/** Whether a run that has not begun waits for another day, or for a larger budget. */
export function waitsForBudget(parts: Parts, run: Pick<Run, 'mailboxId' | 'startedAt'>): boolean {
  if (run.startedAt !== null) return false
  const { projectId } = parts.store.mailboxes.get(run.mailboxId)
  const day = dayBudgetOf(parts, parts.store.forges.getProject(projectId))
  return day !== null && day.spentUsd >= day.budgetUsd
}

/** Whether any scope has a budget of a day: where none has, nobody needs to look at single runs. */
export const hasDayBudget = (store: Store): boolean =>
  store.settings.list().some(({ key, value }) => key === 'DAY_BUDGET_USD' && value !== null)
