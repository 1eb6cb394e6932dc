import { waitAtEnd, type OpenedTerminal, type TerminalError } from '@shared/contract/terminals'
import type { RunFailure } from '@shared/contract/runs'
import type { ResumeChoice, RunId } from '@shared/model/ids'
import type { LlmSession, Run } from '@shared/model/records'
import type { AdapterId } from '@shared/model/words'
import { err, ok, type Result } from '@shared/result'
import { continueInTerminal } from '../../core/session/continue-in-terminal'
import { chosenSessionId } from '../../core/session/resume-choice'
import type { AgentAdapters } from '../../ports/agent-adapter'
import type { Clock } from '../../ports/clock'
import type { SessionStates } from '../../ports/session-state'
import type { Store } from '../../ports/stores'
import type { TerminalPrograms } from '../../ports/terminal-programs'
import type { AgentCredentials } from '../agents/agent-credentials'
import type { DataPaths } from '../runs/data-paths'
import { takenOver } from '../runs/start-successor'
import { untilOver } from '../runs/until-over'
import type { SettingReader } from '../settings/setting-values'
import type { RunRequestError, RunRequests } from '../workflow/ports-of-workflow'
import type { TerminalClient, TerminalHub } from './terminal-hub'
import { tellsSessionOfTerminal } from './terminal-state'

type OpenError = TerminalError | { readonly type: 'not_found'; readonly what: string }
type Opened = Result<OpenedTerminal, OpenError>

/** A person goes on with what an agent remembers, on the agent's own screen. */
export interface TerminalService {
  open(runId: RunId, wish: ResumeChoice, takeOver: boolean): Promise<Opened>
  /** Opens a terminal program of this computer, in which the rest is done. */
  openProgram(runId: RunId): Promise<Result<{ readonly command: string }, ProgramError>>
  attach(runId: RunId, client: TerminalClient): () => void
  watch(runId: RunId, listener: TerminalClient['listener']): () => void
}

type ProgramError =
  | OpenError
  | { readonly type: 'no_terminal'; readonly message: string; readonly command: string }

interface Parts {
  readonly store: Store
  readonly requests: RunRequests
  readonly settings: SettingReader
  readonly adapters: AgentAdapters
  readonly credentials: Pick<AgentCredentials, 'login'>
  readonly states: Pick<SessionStates, 'look'>
  readonly paths: DataPaths
  readonly clock: Clock
  readonly hub: TerminalHub
  readonly programs: TerminalPrograms
  readonly personLogin: string
}

const notFound = (what: string) => err({ type: 'not_found', what } as const)

export function createTerminalService(parts: Parts): TerminalService {
  const { store, hub } = parts
  return {
    async open(runId, wish, takeOver) {
      const run = store.runs.find(runId)
      if (run === null) return notFound(`run ${runId}`)
      const live = store.runs.findLive(run.mailboxId)
      if (live?.phase === 'terminal') return wasOpen(parts, live)
      if (live !== null && !takeOver) return alreadyRunning(parts, live)
      // What could not be opened anyway stops nobody.
      const checked = await check(parts, run, wish, live?.id === runId)
      if (!checked.ok) return checked
      if (live === null) return request(parts, run, checked.value)
      const isFirst = givesToTerminal(parts, live.id, checked.value)
      if (!(await isStopped(parts, live.id))) return alreadyRunning(parts, live)
      const next = store.runs.findLive(run.mailboxId)
      const terminal = next?.phase === 'terminal' ? next : null
      if (terminal !== null && !isFirst) return wasOpen(parts, terminal)
      if (terminal !== null) hub.expect(terminal.id)
      // The run that was stopped may be the one to go on with: now it says what with.
      const again = await check(parts, store.runs.get(runId), wish, false)
      if (terminal === null) return again.ok ? request(parts, run, again.value) : again
      if (again.ok)
        return ok(opened(parts, terminal, again.value.resumes ? again.value.session : null, false))
      parts.requests.stopRun(terminal.id, notOpened)
      return again
    },
    async openProgram(runId) {
      const run = store.runs.find(runId)
      if (run === null) return notFound(`run ${runId}`)
      const live = store.runs.findLive(run.mailboxId)
      if (live?.phase !== 'terminal') {
        // Said here and not in a window that opens for it.
        if (live !== null) return alreadyRunning(parts, live)
        const checked = await check(parts, run, 'auto', false)
        if (!checked.ok) return checked
      }
      const command = `alfred attach ${runId}`
      const words = ['attach', String(runId), `--${waitAtEnd}`]
      const template = parts.settings.app().TERMINAL_COMMAND
      const opened = await parts.programs.open(words, { title: command, template })
      return opened.ok ? ok({ command }) : err({ type: 'no_terminal', message: opened.error, command })
    },
    attach(runId, client) {
      if (isOpen(parts, runId)) return hub.attach(runId, client)
      client.listener({ type: 'ended' })
      return () => undefined
    },
    watch(runId, listener) {
      if (isOpen(parts, runId)) return hub.watch(runId, listener)
      listener({ type: 'ended' })
      return () => undefined
    },
  }
}

function isOpen({ store }: Parts, runId: RunId): boolean {
  const run = store.runs.find(runId)
  return run !== null && run.phase === 'terminal' && run.state !== 'ended'
}

/** What the terminal begins with; null: a session of its own. */
interface Checked {
  readonly session: LlmSession
  readonly resumes: boolean
}

async function check(
  parts: Parts,
  run: Run,
  wish: ResumeChoice,
  isStoppedFirst: boolean,
): Promise<Result<Checked, OpenError>> {
  const { store, settings, adapters, credentials, states, paths } = parts
  const mailbox = store.mailboxes.get(run.mailboxId)
  const project = store.forges.getProject(mailbox.projectId)
  const organization = store.forges.getOrganization(project.organizationId)
  const { values } = settings.of(project)
  const chosen = chosenSessionId(wish)
  const session =
    chosen === null ? (store.sessions.listByRun(run.id).at(-1) ?? null) : store.sessions.find(chosen)
  const adapter = session === null ? null : adapters.find(session.adapter)
  const continued = continueInTerminal({
    run: isStoppedFirst ? { ...run, state: 'ended' } : run,
    session: session?.mailboxId === mailbox.id ? session : null,
    mailbox,
    isFresh: wish === 'fresh',
    runner: values.AGENT_RUNNER,
    hasScreen: adapter !== null && adapter.attach !== null,
  })
  if (!continued.ok) return continued
  if (session === null || adapter === null) return notFound(`session of run ${run.id}`)
  const newest = store.sessions.findPrior(mailbox.id, adapter.id, null)
  const tellsSession = tellsSessionOfTerminal(adapter)
  if (!tellsSession && (wish === 'fresh' || newest?.nativeSessionId !== session.nativeSessionId))
    return err(onlyNewest(adapter.id, wish === 'fresh' ? 'fresh' : 'older', newest))
  const { provider } = session
  const login = await credentials.login(adapter, { settings: values, provider, runner: 'container' })
  if (login === 'missing' || login === 'expired') return err(signIn(adapter.id, login))
  if (wish === 'fresh') return ok({ session, resumes: false })
  const folder = paths.sessionState({ organization, project, mailbox }, adapter.id)
  const file = adapter.sessionFile(session.nativeSessionId ?? '')
  const { preflight } = await states.look(folder, file)
  const isThere = preflight === 'ok' || preflight === 'unknown'
  // A run that is stopped first saves its session at its end.
  return isThere || isStoppedFirst
    ? ok({ session, resumes: true })
    : err(stateMissing(run, preflight, tellsSession))
}

/** Nobody could say which session such a terminal was in, so the next run would go on with another one. */
function onlyNewest(
  adapter: string,
  asked: 'fresh' | 'older',
  newest: Pick<LlmSession, 'runId'> | null,
): TerminalError {
  const what = {
    fresh: 'a session that begins in a terminal would not be remembered',
    older: 'an older session that goes on in a terminal would not be the one that the next run goes on with',
  }[asked]
  const instead =
    newest === null ? '' : ` Go on with the newest memory of the issue: alfred attach ${newest.runId}`
  return {
    type: 'not_continuable',
    message: `${adapter} keeps all its sessions in one database, where Alfred cannot see which one a terminal was in: ${what}. Nothing was opened.${instead}`,
  }
}

function stateMissing(
  { id }: Run,
  preflight: 'missing' | 'empty' | 'unreadable',
  allowsFresh: boolean,
): TerminalError {
  const what = {
    missing: 'is gone',
    empty: 'is empty',
    unreadable: 'cannot be read',
  }[preflight]
  const message = `The saved state of the session of run ${id} ${what}, so the agent would not remember. Nothing was opened.`
  // The window offers the fresh start of this type.
  if (!allowsFresh) return { type: 'not_continuable', message }
  return {
    type: 'state_missing',
    message: `${message} To begin a session without memory in its workspace: alfred attach ${id} --fresh`,
  }
}

const signIn = (adapter: AdapterId, login: 'missing' | 'expired'): TerminalError => ({
  type: 'login_missing',
  adapter,
  message: `${login === 'missing' ? `${adapter} is not signed in` : `The login of ${adapter} has expired`}. To sign it in: alfred agents login ${adapter}`,
})

const notOpened: RunFailure = {
  type: 'stopped',
  message: 'The session could not be gone on with after the run before it was stopped.',
}

/**
 * Stored before the stop: the step that ends the owner gives the issue to the terminal, and what waited for the owner
 * waits for the terminal. False: of two who take over at once the other one was first.
 */
const givesToTerminal = (parts: Parts, owner: RunId, checked: Checked): boolean =>
  parts.store.transaction(() => {
    const { runs } = parts.store
    const noted = runs.successorOf(owner)
    if (runs.get(owner).state === 'ended' || noted?.terminal !== undefined) return false
    runs.setSuccessor(owner, { ...terminalOf(parts, checked), behind: noted ?? undefined })
    return true
  })

/** False: the owner does not end, and what waited for it waits as before. */
async function isStopped(parts: Parts, owner: RunId): Promise<boolean> {
  const { store, requests, hub } = parts
  hub.expect(owner)
  requests.stopRun(owner, takenOver)
  const isOver = await untilOver(parts, owner)
  hub.end(owner)
  if (!isOver)
    store.transaction(() => store.runs.setSuccessor(owner, store.runs.successorOf(owner)?.behind ?? null))
  return isOver
}

const terminalOf = ({ personLogin }: Parts, { session, resumes }: Checked) => {
  const { adapter, provider, model } = session
  return {
    phase: 'terminal',
    trigger: 'person',
    requestedBy: personLogin,
    resumeChoice: resumes ? (`session:${session.id}` as const) : 'fresh',
    terminal: { adapter, provider, model },
  } as const
}

function request(parts: Parts, run: Run, checked: Checked): Opened {
  const { store, requests, hub } = parts
  const { session, resumes } = checked
  const requested = store.transaction(() =>
    requests.requestRun({ mailboxId: run.mailboxId, ...terminalOf(parts, checked) }),
  )
  if (!requested.ok) return refused(parts, requested.error)
  hub.expect(requested.value.id)
  requests.kick()
  return ok(opened(parts, requested.value, resumes ? session : null, false))
}

/** Somebody was faster: a terminal is gone on with, anything else is in the way. */
function refused(parts: Parts, error: RunRequestError): Opened {
  switch (error.type) {
    case 'already_running': {
      const live = parts.store.runs.get(error.runId)
      return live.phase === 'terminal' ? wasOpen(parts, live) : alreadyRunning(parts, live)
    }
    case 'no_agent':
      return err({ type: 'no_agent', message: error.message })
    case 'memory_removed':
      return err({ type: 'memory_removed', at: error.at })
    case 'session_not_found':
    case 'push_waits':
      return err({ type: 'not_continuable', message: error.message })
  }
}

function alreadyRunning({ store }: Parts, live: Run) {
  const since = store.locks.find(live.mailboxId)?.since ?? live.createdAt
  return err({ type: 'already_running', runId: live.id, phase: live.phase, since } as const)
}

function wasOpen(parts: Parts, live: Run): Opened {
  parts.hub.expect(live.id)
  const chosen = chosenSessionId(live.resumeChoice)
  return ok(opened(parts, live, chosen === null ? null : parts.store.sessions.find(chosen), true))
}

function opened(
  { store, settings }: Parts,
  { id, mailboxId, adapter }: Run,
  session: LlmSession | null,
  wasOpen: boolean,
): OpenedTerminal {
  const { projectId, iid, branchName } = store.mailboxes.get(mailboxId)
  const project = store.forges.getProject(projectId)
  const organization = store.forges.getOrganization(project.organizationId)
  const newest = store.sessions.findPrior(mailboxId, adapter, null)
  return {
    runId: id,
    mailboxId,
    issue: `${organization.slug}/${project.slug}#${iid}`,
    adapter,
    wasOpen,
    sessionName: session?.sessionName ?? branchName,
    nativeSessionId: session?.nativeSessionId ?? null,
    stateBytes: session?.stateBytesAfter ?? null,
    savedAt: session?.endedAt ?? null,
    isOlder: !wasOpen && session !== null && newest?.nativeSessionId !== session.nativeSessionId,
    limitMs: settings.of(project).values.TERMINAL_LIMIT,
  }
}
