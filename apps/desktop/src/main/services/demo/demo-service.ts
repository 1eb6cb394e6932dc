import type { z } from 'zod'
import type { demoContract } from '@shared/contract/app'
import type { MailboxId, ProjectId } from '@shared/model/ids'
import type { Project } from '@shared/model/records'
import { agentPhases, type SettingKey } from '@shared/model/settings'
import type { Runner } from '@shared/model/words'
import { err, ok, type Result } from '@shared/result'
import { trackerErrorMessage } from '@shared/tracker-words'
import { keyOfPhase } from '../../core/settings/phase-settings'
import type { Clock } from '../../ports/clock'
import type { Store } from '../../ports/stores'
import type { Tracker } from '../../ports/tracker'
import type { ChangeFeed } from '../status/change-feed'
import type { EngineState } from '../status/engine-watch'
import { storeAgreed } from '../settings/consent'
import { demoFiles, demoIssues, demoProject } from './demo-content'

type StartError = z.infer<(typeof demoContract)['start']['error']>

export interface DemoService {
  /** Makes the demo project anew and lets Alfred take up its issues; `host` only after the person's consent. */
  start(
    runner: Runner,
    hasConsent: boolean,
  ): Promise<Result<{ projectId: ProjectId; mailboxIds: MailboxId[] }, StartError>>
  remove(): Promise<Result<null, { readonly type: 'demo_running' }>>
}

interface Parts {
  readonly store: Store
  readonly clock: Clock
  readonly tracker: Tracker
  readonly changes: ChangeFeed
  readonly askEngine: () => Promise<EngineState>
  /** Deletes what a project's mailboxes left in the data folder. */
  readonly removeData: (project: Project) => Promise<void>
  /** Lets the workflow look at the project now. */
  readonly onProjectChanged: (projectId: ProjectId) => void
}

export function createDemoService(parts: Parts): DemoService {
  const { store, askEngine } = parts
  return {
    async start(runner, hasConsent) {
      if (runner === 'host' && !hasConsent) return err({ type: 'consent_needed' })
      if (runner === 'container') {
        const engine = await askEngine()
        if (engine.state !== 'reachable') {
          return err({
            type: 'docker_unreachable',
            message: 'message' in engine ? engine.message : 'Docker has not been found yet.',
          })
        }
      }
      const removed = await removeDemo(parts)
      if (!removed.ok) return removed
      return makeDemo(parts, runner)
    },
    async remove() {
      const removed = await removeDemo(parts)
      store.audit.add({
        at: parts.clock.now(),
        who: 'person',
        what: 'demo removed',
        mailboxId: null,
        runId: null,
        detail: {},
      })
      return removed
    },
  }
}

export function findDemoProject(store: Store): Project | null {
  return store.forges.listProjects().find((project) => project.isDemo) ?? null
}

async function removeDemo(parts: Parts): Promise<Result<null, { readonly type: 'demo_running' }>> {
  const { store, tracker, changes } = parts
  const project = findDemoProject(store)
  if (project === null) return ok(null)
  const isRunning = store.runs
    .listLive()
    .some((run) => store.mailboxes.get(run.mailboxId).projectId === project.id)
  if (isRunning) return err({ type: 'demo_running' })
  await parts.removeData(project)
  const deleted = await tracker.deleteProject(project.id)
  if (!deleted.ok)
    throw new Error(`the demo project could not be removed: ${trackerErrorMessage(deleted.error)}`)
  changes.publish({ type: 'projects' })
  return ok(null)
}

/** A demo costs nothing: what the app says of agents and models, also for single phases, does not count in it. */
const demoAgent: readonly (readonly [SettingKey, string | null])[] = [
  ['AGENT_ADAPTER', 'demo'],
  ['AGENT_PROVIDER', null],
  ['AGENT_MODEL', null],
  ...agentPhases.flatMap((phase): readonly (readonly [SettingKey, string | null])[] => [
    [keyOfPhase('AGENT_ADAPTER', phase), 'demo'],
    [keyOfPhase('AGENT_PROVIDER', phase), null],
    [keyOfPhase('AGENT_MODEL', phase), null],
  ]),
]

async function makeDemo(
  parts: Parts,
  runner: Runner,
): Promise<Result<{ projectId: ProjectId; mailboxIds: MailboxId[] }, StartError>> {
  const { store, clock, tracker, changes, onProjectChanged } = parts
  const created = await tracker.createProject({
    ...demoProject,
    source: { kind: 'empty', files: demoFiles },
    isDemo: true,
  })
  if (!created.ok)
    throw new Error(`the demo project could not be made: ${trackerErrorMessage(created.error)}`)
  const { id: projectId } = created.value
  const project = store.forges.getProject(projectId)
  for (const [key, value] of demoAgent) store.settings.set('project', projectId, key, value, clock.now())
  if (runner === 'host') storeAgreed(parts, 'project', projectId, 'AGENT_RUNNER', runner)
  else store.settings.set('project', projectId, 'AGENT_RUNNER', runner, clock.now())
  // Whatever the app is set to, a demo shows what sessions are for.
  store.settings.set('project', projectId, 'AGENT_SESSION_RESUME', true, clock.now())
  store.settings.set('project', projectId, 'REQUIRE_PLAN_VALIDATION', true, clock.now())
  const alfred = store.forges.getForge(project.forgeId).accountLogin
  const mailboxIds: MailboxId[] = []
  for (const { title, body } of demoIssues) {
    const issue = await tracker.createIssue({
      projectId,
      title,
      body,
      labels: ['type::task'],
      assignees: [alfred],
    })
    if (!issue.ok) throw new Error(`a demo issue could not be made: ${trackerErrorMessage(issue.error)}`)
    mailboxIds.push(
      store.mailboxes.ensure({ projectId, kind: 'issue', iid: issue.value.iid, title }, clock.now()).id,
    )
  }
  changes.publish({ type: 'projects' })
  onProjectChanged(projectId)
  return ok({ projectId, mailboxIds })
}
