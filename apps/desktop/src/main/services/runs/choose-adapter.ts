import { err, ok, type Result } from '@shared/result'
import type { Project } from '@shared/model/records'
import { agentPhases, type SettingValues } from '@shared/model/settings'
import type { AdapterId, Phase } from '@shared/model/words'
import { isTalk } from '../../core/run/talk'
import { imageOfRuns, type ImageWords } from '../../core/agents/image-of-runs'
import type { AgentAdapter, AgentAdapters } from '../../ports/agent-adapter'
import type { BuiltImage, Installation } from '../../ports/stores'

export interface NoAgent {
  readonly type: 'no_agent'
  /** Whole sentences; also said on the issue. */
  readonly message: string
}

/** For demos and tests: a real project never gets one. */
const demonstrationAdapters: readonly AdapterId[] = ['demo', 'fake']

export const isDemonstration = (id: AdapterId): boolean => demonstrationAdapters.includes(id)

/** Whether this version has an agent that a person's own projects may use, installed or not. */
export const hasAgentForProjects = (adapters: Pick<AgentAdapters, 'all'>): boolean =>
  adapters.all().some(({ id }) => !isDemonstration(id))

export const onlyDemonstration =
  'This version has the demo agent only, and it works in the demo project only.'

/** Also for an adapter that a run brings itself, with the session that was chosen for it. */
export const notInThisVersion = (id: AdapterId): NoAgent => ({
  type: 'no_agent',
  message: `${id} is not part of this version.`,
})

interface Facts {
  /** As the phase has them. */
  readonly settings: Pick<SettingValues, 'AGENT_ADAPTER' | 'AGENT_RUNNER' | 'AGENT_MODEL'> & ImageWords
  readonly phase: Phase
  readonly project: Pick<Project, 'isDemo'>
  readonly installations: readonly Installation[]
  /** Those that were built here. */
  readonly images: readonly BuiltImage[]
  readonly adapters: AgentAdapters
  /** Tests let every project use them. */
  readonly allowsDemonstration: boolean
}

/** The adapter of a run: the one that the settings name, else the first that is installed where runs execute. */
export function chooseAdapter(facts: Facts): Result<AdapterId, NoAgent> {
  const { settings, phase, project, installations, images, adapters, allowsDemonstration } = facts
  const isAllowed = (id: AdapterId): boolean => project.isDemo || allowsDemonstration || !isDemonstration(id)
  const named = settings.AGENT_ADAPTER
  if (named !== null) {
    const adapter = adapters.find(named)
    if (adapter === null) return err(notInThisVersion(named))
    if (isAllowed(named)) return whyNotFor(adapter, phase, settings.AGENT_MODEL) ?? ok(named)
    return err({
      type: 'no_agent',
      message: hasAgentForProjects(adapters)
        ? `The adapter ${named} works in the demo project only. Name another one in AGENT_ADAPTER.`
        : onlyDemonstration,
    })
  }
  const installed = whereRunsAre(installations, imageOfRuns(images, settings)).find(
    ({ adapter, runner, version }) =>
      version !== null &&
      runner === settings.AGENT_RUNNER &&
      canDoAll(adapters.find(adapter)) &&
      isAllowed(adapter),
  )
  if (installed !== undefined) return ok(installed.adapter)
  return err({
    type: 'no_agent',
    message: hasAgentForProjects(adapters) ? notInstalled : onlyDemonstration,
  })
}

const canDoAll = (adapter: AgentAdapter | null): boolean => adapter !== null && adapter.phases === undefined

/** What keeps the named adapter from this phase; null: nothing does. */
function whyNotFor(
  { id, phases, needsModel }: AgentAdapter,
  phase: Phase,
  model: string | null,
): Result<never, NoAgent> | null {
  if (phases !== undefined && !phases.includes(phase)) {
    const hasOwnSetting = agentPhases.some((candidate) => candidate === phase)
    const setting = hasOwnSetting ? `AGENT_ADAPTER_${phase.toUpperCase()}` : 'AGENT_ADAPTER'
    const able = phases.filter((one) => !isTalk(one)).join(' and ')
    return err({ type: 'no_agent', message: `${id} is for ${able} only. Name another agent in ${setting}.` })
  }
  if (needsModel === true && model === null)
    return err({ type: 'no_agent', message: `${id} has no model of its own. Name one in AGENT_MODEL.` })
  return null
}

/**
 * Of each CLI and runner what was found in the image that runs are in: a person may look into any other one later. Of
 * a CLI that nobody has looked for there, what was found last.
 */
function whereRunsAre(
  installations: readonly Installation[],
  digest: string | null,
): readonly Installation[] {
  const isThere = ({ runner, imageDigest }: Installation): boolean =>
    runner === 'container' && imageDigest === digest
  const says = (row: Installation, other: Installation): boolean =>
    isThere(row) === isThere(other) ? row.detectedAt > other.detectedAt : isThere(row)
  return installations.filter(
    (row) =>
      !installations.some(
        (other) => other.adapter === row.adapter && other.runner === row.runner && says(other, row),
      ),
  )
}

const notInstalled =
  'No agent CLI is installed where runs execute. The doctor says which ones were looked for.'
