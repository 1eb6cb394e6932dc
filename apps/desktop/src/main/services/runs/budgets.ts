import { formatCost } from '@shared/format'
import type { RunFailure } from '@shared/contract/runs'
import type { ProjectId } from '@shared/model/ids'
import type { Project, Run } from '@shared/model/records'
import { settingScopeSchema, type SettingScope } from '@shared/model/settings'
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

/** Why the run must not go on, by the budget that is in force now; null: it may. */
export function runBudgetUsed(
  { store, settings }: Pick<Parts, 'store' | 'settings'>,
  run: Pick<Run, 'id' | 'mailboxId'>,
): RunFailure | null {
  const { projectId } = store.mailboxes.get(run.mailboxId)
  const budgetUsd = settings.ofProject(projectId).values.RUN_BUDGET_USD
  if (budgetUsd === null) return null
  const spent = store.sessions.listByRun(run.id).reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
  return spent < budgetUsd
    ? null
    : failure(
        'budget_used',
        `The run has cost ${formatCost(spent)}; its budget is ${formatCost(budgetUsd)} (RUN_BUDGET_USD).`,
      )
}

/** The budget of a day that one scope says. */
export interface DayBudget {
  readonly scope: SettingScope
  /** 0 for the app. */
  readonly scopeId: number
  readonly budgetUsd: number
  /** Today, by all runs of the scope. */
  readonly spentUsd: number
}

/**
 * The budgets of a day that the scopes above a project say, and the project itself, each with what its scope has spent.
 * Without one that keeps no run waiting, since stronger scopes say their own wherever it would hold.
 */
export function dayBudgetsAround(parts: Parts, project: Project): readonly DayBudget[] {
  const { strips } = parts.settings.of(project)
  return settingScopeSchema.options.flatMap((scope) => {
    const budgetUsd = strips.DAY_BUDGET_USD[scope]
    return typeof budgetUsd === 'number' && holdsSomewhere(parts, project, scope)
      ? [dayBudget(parts, project, scope, budgetUsd)]
      : []
  })
}

const holdsSomewhere = (parts: Parts, project: Project, scope: SettingScope): boolean =>
  projectsWithin(parts.store, project, scope).some(
    (one) => parts.settings.of(one).origins.DAY_BUDGET_USD === scope,
  )

/** The one of them that holds for the project; null: there is none. */
function dayBudgetOf(parts: Parts, project: Project): DayBudget | null {
  const { values, origins } = parts.settings.of(project)
  const { DAY_BUDGET_USD: scope } = origins
  if (values.DAY_BUDGET_USD === null || scope === 'default') return null
  return dayBudget(parts, project, scope, values.DAY_BUDGET_USD)
}

function dayBudget(
  { store, clock }: Pick<Parts, 'store' | 'clock'>,
  project: Project,
  scope: SettingScope,
  budgetUsd: number,
): DayBudget {
  const within = projectsOf(store, project, scope)
  const { knownUsd } = store.sessions.costSince(startOfDay(clock.now()), within)
  const scopeId = { app: 0, organization: project.organizationId, project: project.id }[scope]
  return { scope, scopeId, budgetUsd, spentUsd: knownUsd }
}

/** null: all of them. */
const projectsOf = (store: Store, project: Project, scope: SettingScope): readonly ProjectId[] | null =>
  scope === 'app' ? null : projectsWithin(store, project, scope).map(({ id }) => id)

function projectsWithin(store: Store, project: Project, scope: SettingScope): readonly Project[] {
  if (scope === 'project') return [project]
  const all = store.forges.listProjects()
  return scope === 'app' ? all : all.filter(({ organizationId }) => organizationId === project.organizationId)
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
