import { assertPresent } from '@shared/assert'
import { err, ok, type Result } from '@shared/result'
import type { LlmSession, Run, RunAttempt, RunStart } from '@shared/model/records'
import { isTalk } from '../../core/run/talk'
import { credentialNamesOf } from '../../core/sandbox/credential-mounts'
import { hostRunnerContract, sandboxContract } from '../../core/sandbox/sandbox-contract'
import { buildContainerSpec, type SandboxRequest } from '../../core/sandbox/sandbox-spec'
import { sandboxUser, type SandboxUser } from '../../core/sandbox/sandbox-user'
import type { SandboxContract } from '@shared/contract/runs'
import type { SessionRequest, StartCommand } from '../../ports/agent-adapter'
import type { ContainerSpec, EngineInfo } from '../../ports/container-runtime'
import { credentialScopeOf } from '../agents/agent-credentials'
import type { RunContext } from './run-context'
import type { StartFiles } from './run-files'
import type { RunParts } from './run-parts'
import { freshPromptFile, isFreshTurn } from './fresh-prompt'
import { isTakenBack } from './last-work'
import { startTree } from './start-tree'
import { unagreedMounts } from './unagreed-mounts'

/*
 * The container of one start, from rows and settings alone: the same start always gives the same container, also when
 * a restart lies between deciding on it and making it.
 */

export interface StartFacts {
  readonly context: RunContext
  readonly attempt: RunAttempt
  readonly start: RunStart
  readonly session: LlmSession
  readonly engine: EngineInfo
  readonly files: Pick<StartFiles, 'output'>
  readonly branchExists: boolean
}

/** How the CLI is asked for its session, as the rows say it. */
export function sessionRequestOf(
  session: Pick<LlmSession, 'mode' | 'sessionName' | 'chosenSessionId'>,
  start: Pick<RunStart, 'askedSessionId'>,
): SessionRequest {
  if (session.mode === 'none' || session.sessionName === null) return { mode: 'none' }
  return start.askedSessionId === null
    ? { mode: 'fresh', name: session.sessionName, chosenId: session.chosenSessionId }
    : { mode: 'resume', name: session.sessionName, nativeId: start.askedSessionId }
}

export function startCommandOf({
  context,
  session,
  start,
}: Pick<StartFacts, 'context' | 'session' | 'start'>): StartCommand {
  const { adapter, run, settings, isReadOnly } = context
  const request = {
    session: sessionRequestOf(session, start),
    model: run.model,
    provider: run.provider,
    baseUrl: settings.AGENT_BASE_URL,
    readOnly: isReadOnly,
  }
  if (run.phase !== 'terminal') return adapter.start({ ...request, phase: run.phase, runner: run.runner })
  return assertPresent(adapter.attach, 'a terminal is opened only with an agent that has a screen')(request)
}

/** Who the agent is; on the host nobody but the person can be. */
export const runUser = (
  { appUser }: RunParts,
  run: Pick<Run, 'runner'>,
  engine: Pick<EngineInfo, 'rootless'>,
): SandboxUser => (run.runner === 'host' ? (appUser ?? { uid: 0, gid: 0 }) : sandboxUser(appUser, engine))

export async function buildStartSpec(
  parts: RunParts,
  facts: StartFacts,
): Promise<Result<ContainerSpec, string>> {
  const { context, attempt, start, session, engine, files, branchExists } = facts
  const { run, mailbox, settings, adapter, project } = context
  const user = runUser(parts, run, engine)
  await parts.sandboxFiles.ensureFolder(context.workspacePath, user)
  if (session.mode !== 'none') await parts.sandboxFiles.ensureFolder(context.statePath, user)
  const isCollect = start.kind === 'collect'
  // What collects needs no login, and gets none.
  const credentials = isCollect
    ? { mounts: [], environment: {} }
    : await parts.credentials.forStart(adapter, credentialScopeOf(context), user)
  const command = startCommandOf(facts)
  const account = parts.store.forges.getForge(project.forgeId).accountLogin
  const request: SandboxRequest = {
    purpose: isCollect ? 'collect' : run.phase === 'terminal' ? 'terminal' : 'run',
    ids: {
      installId: parts.store.installId(),
      runUid: run.uid,
      mailboxId: mailbox.id,
      attempt: attempt.number,
      start: start.number,
    },
    image: attempt.imageDigest ?? '',
    engine,
    appUser: parts.appUser,
    adapter,
    command: { ...command, environment: { ...command.environment, ...credentials.environment } },
    ...(isFreshTurn(run, start) ? { promptFile: freshPromptFile } : {}),
    folders: {
      workspace: context.workspacePath,
      repository: context.repositoryPath,
      input: parts.files.inputOf(run.uid),
      output: files.output,
      state: session.mode === 'none' ? null : context.statePath,
    },
    files: await parts.sandboxFiles.fixedFiles(user),
    credentials: credentials.mounts,
    limits: { memoryBytes: settings.RUN_MEMORY, cpus: settings.RUN_CPUS, pids: settings.RUN_PIDS },
    git: {
      branch: mailbox.branchName ?? '',
      baseSha: run.baseSha ?? '',
      tree: startTree({
        phase: run.phase,
        kind: start.kind,
        attempt: attempt.number,
        branchExists,
        mode: session.mode,
        retriesFailedRun: retriesFailedRun(parts, context),
        isTakenBack: isTakenBack(parts.store, run),
      }),
      authorName: settings.GIT_AUTHOR_NAME ?? account,
      authorEmail: settings.GIT_AUTHOR_EMAIL ?? `${account}@alfred.invalid`,
    },
  }
  const spec = buildContainerSpec(request)
  return spec.ok ? ok(spec.value) : err(spec.error.message)
}

/** The words of the contract that the run screen shows; no secret is in them. */
export function contractOf(facts: StartFacts, spec: ContainerSpec): SandboxContract {
  const { context, attempt, start, engine } = facts
  const budgetUsd = context.settings.RUN_BUDGET_USD
  if (context.run.runner === 'host') return { ...hostRunnerContract(context.timeoutMs), budgetUsd }
  const contract = sandboxContract({
    spec,
    imageDigest: attempt.imageDigest,
    rootless: engine.rootless,
    timeoutMs: context.timeoutMs,
    secretEnvironment: credentialNamesOf(context.settings.AGENT_CREDENTIAL_ENV, context.adapter.id).filter(
      (name) => Object.hasOwn(spec.environment, name),
    ),
    unagreedLogins: start.kind === 'collect' ? [] : unagreedMounts(context).map(({ source }) => source),
  })
  return { ...contract, budgetUsd }
}

/** A chat or a terminal in between changes nothing of what the memory believes in. */
function retriesFailedRun({ store }: RunParts, { run, mailbox }: RunContext): boolean {
  if (run.trigger !== 'retry' && run.trigger !== 'person') return false
  const before = store.runs
    .listByMailbox(mailbox.id, mostLookedAt, run.id)
    .find(({ phase }) => !isTalk(phase))
  return before !== undefined && before.phase === run.phase && before.outcome !== 'succeeded'
}
const mostLookedAt = 50
