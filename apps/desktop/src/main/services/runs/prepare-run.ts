import type { RunFailure } from '@shared/contract/runs'
import type { RunId } from '@shared/model/ids'
import { imageCliSchema, type AdapterId } from '@shared/model/words'
import { isTooOld } from '../../core/agents/lowest-versions'
import { isTalk } from '../../core/run/talk'
import { branchName } from '../../core/session/branch-name'
import type { SessionPlan } from '../../core/session/resolve-session'
import type { ContainerError } from '../../ports/container-runtime'
import type { GitError } from '../../ports/git'
import type { ForgeError } from '../../ports/forge'
import type { SessionStateLook } from '../../ports/session-state'
import { filesOfAttachments } from '../chats/attachments'
import { turnPrompt } from '../chats/turn-prompt'
import { filesOfTerminal } from '../terminals/terminal-state'
import { runBudgetUsed } from './budgets'
import { unlessLeft } from './engine-patience'
import { credentialScopeOf } from '../agents/agent-credentials'
import { followDefaultBranch } from './follow-default-branch'
import { baseOfLastWork } from './last-work'
import { resolveBase } from './prepare-base'
import { resolveRunSession } from './resolve-run-session'
import { loadRunContext, type RunContext } from './run-context'
import { failure, type RunImage, type RunParts } from './run-parts'
import { currentAttempt } from './run-step'
import { tellTurnsNotRemembered } from './turns-not-remembered'
import { unagreedMounts } from './unagreed-mounts'

/*
 * From a run that got its slot and its lock to one that can start. All of it may be done again: nothing here starts
 * anything, and every folder, branch name and fetch is the same the second time.
 */

export interface PreparedRun {
  readonly context: RunContext
  readonly image: RunImage | null
  readonly plan: SessionPlan
  readonly state: SessionStateLook | null
  readonly baseSha: string
  readonly branch: string
  readonly branchExists: boolean
}

export type Preparation =
  | { readonly type: 'ready'; readonly prepared: PreparedRun }
  | { readonly type: 'failed'; readonly failure: RunFailure }
  /** Docker or the forge does not answer: the run goes on later. */
  | { readonly type: 'later'; readonly failure: RunFailure; readonly afterMs: number }
  | { readonly type: 'stopped' }

/** In `in/`, so that it survives a restart together with the prompt that it belongs to. */
export const issueHashFile = 'issue.sha256'

const failed = (type: RunFailure['type'], message: string): Preparation => ({
  type: 'failed',
  failure: failure(type, message),
})
const later = (type: RunFailure['type'], message: string, afterMs = 5_000): Preparation => ({
  type: 'later',
  failure: failure(type, message),
  afterMs,
})

export async function prepareRun(parts: RunParts, runId: RunId, signal: AbortSignal): Promise<Preparation> {
  const loaded = loadRunContext(parts, runId)
  const spent = runBudgetUsed(parts, loaded.run)
  if (spent !== null) return { type: 'failed', failure: spent }
  const branch = freezeBranchName(parts, loaded)
  const context = { ...loaded, mailbox: { ...loaded.mailbox, branchName: branch } }
  const obstacle = await agentObstacle(parts, context)
  if (obstacle !== null) return obstacle

  parts.activities.set(runId, { step: 'repository', fraction: null })
  const base = await prepareRepository(parts, context, branch, signal)
  if (base.type !== 'base') return signal.aborted ? { type: 'stopped' } : base

  const image = await prepareImage(parts, context, signal)
  if (image.type !== 'image') return image

  parts.activities.set(runId, { step: 'session', fraction: null })
  const attempt = currentAttempt(parts.store, runId)
  const { plan, state } = await resolveRunSession(parts, context, attempt.id, image.installation, branch)
  if (plan.mode === 'none' && plan.offReason === 'credential_overlap')
    parts.logger.warn('a credential mount overlaps the session state: the session is not resumed', {
      run: runId,
    })

  const input = await inputOf(parts, context, plan, base.baseSha)
  if ('type' in input) return input
  await parts.files.writeInput(context.run.uid, input.files)
  if (signal.aborted) return { type: 'stopped' }
  tellTurnsNotRemembered(parts, context.run, plan)
  const { baseSha, branchExists } = base
  return {
    type: 'ready',
    prepared: { context, image: image.image, plan, state, baseSha, branch, branchExists },
  }
}

type Input = Preparation | { readonly files: Readonly<Record<string, string | Uint8Array>> }

function inputOf(parts: RunParts, context: RunContext, plan: SessionPlan, baseSha: string): Promise<Input> {
  switch (context.run.phase) {
    case 'chat':
      return inputOfTurn(parts, context, plan, baseSha)
    case 'terminal':
      return inputOfTerminal(parts, context, plan)
    default:
      return inputOfPhase(parts, context)
  }
}

/** A terminal is told nothing. One that was to go on with a session begins no other one in its place. */
async function inputOfTerminal(parts: RunParts, context: RunContext, plan: SessionPlan): Promise<Input> {
  if (context.run.resumeChoice !== 'fresh' && plan.mode !== 'resume')
    return failed('agent_failed', sessionGone)
  return { files: await filesOfTerminal(parts, context) }
}
const sessionGone = 'The session cannot be resumed any more, so the terminal was not opened.'

async function inputOfPhase(parts: RunParts, { run }: RunContext): Promise<Input> {
  const prompt = await parts.prompts.buildPrompt(run)
  if (!prompt.ok) return forgeFailure(prompt.error)
  const { text, issueSha256 } = prompt.value
  return { files: { prompt: text, [issueHashFile]: issueSha256 } }
}

async function inputOfTurn(
  parts: RunParts,
  context: RunContext,
  plan: SessionPlan,
  baseSha: string,
): Promise<Input> {
  const prompt = await turnPrompt(parts, context, plan, baseSha)
  if (!prompt.ok) return failed('unexpected', prompt.error)
  const attachments = filesOfAttachments(parts.store.chats.readAttachments(context.run.id))
  return { files: { ...attachments, prompt: prompt.value } }
}

/** How long a run waits for a person to sign in before it looks again. */
const loginPauseMs = 5 * 60_000

/** What keeps the agent from working, found without starting anything. */
async function agentObstacle(parts: RunParts, context: RunContext): Promise<Preparation | null> {
  const { adapter, run } = context
  const { providers } = adapter
  if (run.provider !== null && providers !== null && !providers.includes(run.provider)) {
    const known = providers.join(', ')
    return failed('agent_failed', `${adapter.id} has no provider ${run.provider}; it knows ${known}.`)
  }
  const login = await parts.credentials.login(adapter, credentialScopeOf(context))
  switch (login) {
    case 'missing':
      return later('login_missing', `${adapter.id} is not signed in.${whyUnmounted(context)}`, loginPauseMs)
    case 'expired':
      return later('login_missing', `The login of ${adapter.id} has expired.`, loginPauseMs)
    case 'not_needed':
    case 'found':
    case 'unknown':
      return null
  }
}

/** The login may lie where the settings say, and wait for nothing but a word. */
const whyUnmounted = (context: RunContext): string =>
  unagreedMounts(context).length === 0
    ? ''
    : ' Its login files are named in AGENT_CREDENTIAL_MOUNTS, but nobody has agreed to mount them: do so in the settings.'

/** The name is stored before anything starts; from then on it is the mailbox's, whatever the title becomes. */
function freezeBranchName({ store, clock }: RunParts, { mailbox, settings }: RunContext): string {
  if (mailbox.branchName !== null) return mailbox.branchName
  const name = branchName({ prefix: settings.BRANCH_PREFIX, iid: mailbox.iid, title: mailbox.title })
  store.mailboxes.update(mailbox.id, { branchName: name }, clock.now())
  return name
}

async function prepareRepository(
  parts: RunParts,
  context: RunContext,
  branch: string,
  signal: AbortSignal,
): Promise<
  Preparation | { readonly type: 'base'; readonly baseSha: string; readonly branchExists: boolean }
> {
  const { project, repositoryPath } = context
  const repository = await parts.git.openMailboxRepository(repositoryPath)
  if (!repository.ok) return failed('workspace_failed', repository.error.message)
  const asLeft = isTalk(context.run.phase)
    ? await baseOfLastWork(parts.store, context.run, branch, repository.value)
    : null
  if (asLeft !== null) return { type: 'base', ...asLeft }
  const remote = await parts.forgeOf(project).remote(project)
  if (!remote.ok) return forgeFailure(remote.error)
  const fetched = await repository.value.fetch(remote.value, signal)
  if (!fetched.ok) return gitFailure(fetched.error)
  const at = { repository: repository.value, remote: remote.value, signal }
  const baseBranch = await followDefaultBranch(parts, context, at)
  if (!baseBranch.ok) return gitFailure(baseBranch.error)
  const base = await resolveBase(repository.value, branch, baseBranch.value)
  return base.ok ? { type: 'base', ...base.value } : failed('workspace_failed', base.error.message)
}

const gitFailure = ({ type, message }: GitError): Preparation =>
  type === 'remote_unreachable'
    ? later('workspace_failed', message, 30_000)
    : failed('workspace_failed', message)

async function prepareImage(
  parts: RunParts,
  { run, settings, adapter }: RunContext,
  signal: AbortSignal,
): Promise<
  | Preparation
  | {
      readonly type: 'image'
      readonly image: RunImage | null
      readonly installation: { readonly resumable: boolean } | null
    }
> {
  if (run.runner === 'host') return { type: 'image', image: null, installation: null }
  parts.activities.set(run.id, { step: 'image', fraction: null })
  const image = await unlessLeft(
    parts.images.ensure(
      settings.AGENT_IMAGE,
      (step, fraction) => !signal.aborted && parts.activities.set(run.id, { step, fraction }),
      signal,
    ),
    signal,
  )
  if (image === null) return { type: 'stopped' }
  if (!image.ok) {
    if (image.error.type === 'aborted') {
      return signal.aborted
        ? { type: 'stopped' }
        : failed('image_missing', 'Making the agent image was cancelled.')
    }
    return image.error.type === 'docker_unreachable'
      ? engineAway(parts, image.error.message)
      : failed('image_missing', image.error.message)
  }
  const installation = await unlessLeft(parts.images.installation(adapter, image.value), signal)
  if (installation === null) return { type: 'stopped' }
  if (!installation.ok) return containerFailure(parts, installation.error)
  if (installation.value.version === null) {
    return failed(
      'image_missing',
      `The image ${image.value.tag} does not contain ${adapter.id}.${howToAdd(adapter.id)}`,
    )
  }
  if (isTooOld(installation.value.version, adapter.lowestVersion))
    return failed('image_missing', tooOldWords(adapter, installation.value.version, image.value.tag))
  return { type: 'image', image: image.value, installation: installation.value }
}

const tooOldWords = ({ id, lowestVersion }: RunContext['adapter'], version: string, tag: string): string =>
  `${id} ${version} in ${tag} is too old to start: Alfred needs ${lowestVersion} or newer. Update ${id} in the base image (AGENT_IMAGE), or build an image with ${id} on the agents screen.`

const howToAdd = (adapter: AdapterId): string =>
  imageCliSchema.options.some((cli) => cli === adapter)
    ? ` Build an image with ${adapter} on the agents screen, or name it in AGENT_IMAGE_CLIS.`
    : ''

function containerFailure(parts: Pick<RunParts, 'onEngineSeen'>, error: ContainerError): Preparation {
  switch (error.type) {
    case 'unreachable':
    case 'not_permitted':
      return engineAway(parts, error.message)
    case 'image_missing':
      return failed('image_missing', error.message)
    case 'command_missing':
      return failed('agent_failed', error.message)
    default:
      return error.retryable
        ? later('docker_unreachable', error.message)
        : failed('workspace_failed', error.message)
  }
}

/** Told at once, so that no run is taken up again before it answers. */
function engineAway({ onEngineSeen }: Pick<RunParts, 'onEngineSeen'>, message: string): Preparation {
  onEngineSeen({ ok: false, error: { type: 'unreachable', message, retryable: true } })
  return later('docker_unreachable', message)
}

const forgeFailure = (error: ForgeError): Preparation =>
  error.retryable
    ? later('forge_changed', error.message, error.retryAfterMs ?? 30_000)
    : failed('workspace_failed', error.message)
