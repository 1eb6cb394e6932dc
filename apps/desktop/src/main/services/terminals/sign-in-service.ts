import { waitAtEnd, type SignInEvent } from '@shared/contract/terminals'
import type { AdapterId } from '@shared/model/words'
import type { SettingValues } from '@shared/model/settings'
import { err, ok, type Result } from '@shared/result'
import { credentialMountsOf } from '../../core/sandbox/credential-mounts'
import { sandboxLabels } from '../../core/sandbox/sandbox-spec'
import { sandboxUser, type AppUser } from '../../core/sandbox/sandbox-user'
import { buildSignInSpec, signInFolder } from '../../core/sandbox/sign-in-spec'
import type { AgentAdapter, AgentAdapters, AgentLogin } from '../../ports/agent-adapter'
import type { Clock } from '../../ports/clock'
import type { ContainerRuntime, ContainerSpec, EngineInfo } from '../../ports/container-runtime'
import type { Logger } from '../../ports/logger'
import type { Randomness } from '../../ports/randomness'
import type { SandboxFiles } from '../../ports/sandbox-files'
import type { TerminalPrograms } from '../../ports/terminal-programs'
import type { AgentCredentials, LoginLook } from '../agents/agent-credentials'
import { aside } from '../aside'
import type { TerminalClient, TerminalHub } from './terminal-hub'

/*
 * A person signs an agent in with its CLI's own login, in a container that may write the agent's folder of login files
 * and nothing else. It lives as long as the person looks at it, and belongs to no run.
 */

export interface SignInService {
  /** What the login shows goes to the client, who ends it by leaving. One at a time for each agent. */
  signIn(adapter: AdapterId, client: SignInClient): () => void
  /** Opens a terminal program of this computer, in which the rest is done. */
  openProgram(adapter: AdapterId): Promise<Result<{ readonly command: string }, ProgramError>>
  /** Ends all of them. */
  close(): Promise<void>
}

export interface SignInClient extends Pick<TerminalClient, 'who' | 'size'> {
  readonly listener: (event: SignInEvent) => void
}

type ProgramError =
  | { readonly type: 'not_possible'; readonly message: string }
  | { readonly type: 'no_terminal'; readonly message: string; readonly command: string }

interface Parts {
  readonly adapters: AgentAdapters
  /** Of the app: a login is no project's. */
  readonly settings: () => Pick<
    SettingValues,
    | 'AGENT_CREDENTIAL_ENV'
    | 'AGENT_CREDENTIAL_MOUNTS'
    | 'AGENT_PROVIDER'
    | 'RUN_CPUS'
    | 'RUN_MEMORY'
    | 'RUN_PIDS'
    | 'TERMINAL_COMMAND'
  >
  /** The digest of an image that has this agent's CLI; null: none has. */
  readonly imageWith: (adapter: AgentAdapter) => Promise<string | null>
  readonly runtime: ContainerRuntime
  readonly hub: TerminalHub
  readonly programs: TerminalPrograms
  readonly credentials: Pick<AgentCredentials, 'login' | 'ownFolder'>
  readonly sandboxFiles: Pick<SandboxFiles, 'fixedFiles'>
  readonly appUser: AppUser
  readonly labels: Readonly<Record<string, string>>
  readonly randomness: Pick<Randomness, 'uuidV7'>
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly logger: Pick<Logger, 'error' | 'warn'>
  /** What the login came to, seen at its end. */
  readonly onLooked: (adapter: AdapterId, login: LoginLook) => void
}

/** Long enough to find one's telephone; a device's code is not good for longer either. */
export const signInLimitMs = 30 * 60_000
const graceMs = 2_000

export function createSignInService(parts: Parts): SignInService {
  const { hub, runtime, logger, clock } = parts
  interface UnderWay {
    readonly who: string
    readonly since: number
    readonly leaving: AbortController
    over: Promise<void>
  }
  const underWay = new Map<AdapterId, UnderWay>()

  /** From its start to its end. Error: why it could not be opened, in words. */
  const show = async (
    adapter: AgentAdapter,
    spec: ContainerSpec,
    client: SignInClient,
    leaving: AbortSignal,
  ): Promise<Result<number | null, string>> => {
    const key = `sign-in ${adapter.id}` as const
    const made = await runtime.create(spec)
    if (!made.ok) return err(made.error.message)
    const { id } = made.value
    try {
      const held = await hub.hold(key, { runtime, id, isRunning: false })
      if (!held.ok) return err(held.error.message)
      hub.attach(key, { ...client, takesOver: true, listener: withoutEnd(client.listener) })
      const started = await runtime.start(spec)
      if (!started.ok) return err(started.error.message)
      hub.started(key)
      const ended = await runtime.wait(id, leaving)
      if (ended.ok) await Promise.race([hub.shown(key), aborted(leaving)])
      else if (leaving.aborted) await runtime.stop(id, graceMs)
      else return err(ended.error.message)
      return ok(ended.ok ? ended.value.exitCode : null)
    } finally {
      hub.end(key)
      const removed = await runtime.remove(id)
      // The next engine finds it by its labels.
      if (!removed.ok) logger.warn(`the container of a login could not be removed: ${removed.error.message}`)
    }
  }

  const run = async (id: AdapterId, client: SignInClient, leaving: AbortSignal): Promise<void> => {
    const found = await findLogin(parts, id)
    if (!found.ok) return client.listener({ type: 'failed', message: found.error })
    const spec = await specOf(parts, found.value)
    if (leaving.aborted) return
    const { adapter } = found.value
    const over = new AbortController()
    const ends = new AbortController()
    const limit = clock.sleep(signInLimitMs, AbortSignal.any([leaving, over.signal]))
    aside(
      logger,
      'limiting a login',
      limit.then(() => ends.abort()),
    )
    const shown = await show(adapter, spec, client, ends.signal).finally(() => over.abort())
    const settings = parts.settings()
    const provider = settings.AGENT_PROVIDER
    const loginState = await parts.credentials.login(adapter, { settings, provider, runner: 'container' })
    parts.onLooked(id, loginState)
    client.listener(
      shown.ok
        ? { type: 'checked', loginState, exitCode: shown.value }
        : { type: 'failed', message: shown.error },
    )
  }

  return {
    signIn(id, client) {
      const present = underWay.get(id)
      if (present !== undefined) {
        client.listener({ type: 'held', who: present.who, since: present.since })
        return () => undefined
      }
      const leaving = new AbortController()
      const mine: UnderWay = { who: client.who, since: clock.now(), leaving, over: Promise.resolve() }
      underWay.set(id, mine)
      // Who has left is told nothing any more.
      const listener: SignInClient['listener'] = (event) => {
        if (!leaving.signal.aborted) client.listener(event)
      }
      mine.over = run(id, { ...client, listener }, leaving.signal)
        .catch((defect: unknown) => {
          listener({ type: 'failed', message: 'Something went wrong that should not have. See the log.' })
          throw defect
        })
        .finally(() => underWay.delete(id))
      aside(logger, 'signing an agent in', mine.over)
      return () => leaving.abort()
    },
    async openProgram(id) {
      const found = await findLogin(parts, id)
      if (!found.ok) return err({ type: 'not_possible', message: found.error })
      const command = `alfred agents login ${id}`
      const words = ['agents', 'login', id, `--${waitAtEnd}`]
      const template = parts.settings().TERMINAL_COMMAND
      const opened = await parts.programs.open(words, { title: command, template })
      return opened.ok ? ok({ command }) : err({ type: 'no_terminal', message: opened.error, command })
    },
    async close() {
      const all = [...underWay.values()]
      for (const { leaving } of all) leaving.abort()
      await Promise.allSettled(all.map(({ over }) => over))
    },
  }
}

interface Login {
  readonly adapter: AgentAdapter
  readonly command: NonNullable<AgentLogin['signIn']>
  readonly target: string
  readonly image: string
  readonly engine: EngineInfo
}

/** All that a login needs; the error says in words why there is none. */
async function findLogin(
  { adapters, settings, imageWith, runtime }: Parts,
  id: AdapterId,
): Promise<Result<Login, string>> {
  const adapter = adapters.find(id)
  if (adapter === null) return err(`There is no agent ${id}.`)
  const { login } = adapter
  const target = login === null ? null : signInFolder(login)
  if (login?.signIn === undefined || target === null)
    return err(
      login === null
        ? `${id} needs no login.`
        : `${id} has no login of its own that could be opened. Name an environment variable that holds a key in AGENT_CREDENTIAL_ENV.`,
    )
  if (credentialMountsOf(settings().AGENT_CREDENTIAL_MOUNTS, id).length > 0)
    return err(
      `The login of ${id} is mounted by AGENT_CREDENTIAL_MOUNTS, and Alfred never writes such files. Sign in where they come from, or take the mount out of the settings.`,
    )
  const engine = await runtime.info()
  if (!engine.ok) return err(engine.error.message)
  const image = await imageWith(adapter)
  if (image === null)
    return err(
      `No image with ${id} is there. Choose it in AGENT_IMAGE_CLIS and build the image: "alfred agents build".`,
    )
  return ok({ adapter, command: login.signIn, target, image, engine: engine.value })
}

async function specOf(parts: Parts, login: Login): Promise<ContainerSpec> {
  const { adapter, command, image, target, engine } = login
  const user = sandboxUser(parts.appUser, engine)
  const { RUN_MEMORY, RUN_CPUS, RUN_PIDS } = parts.settings()
  return buildSignInSpec({
    name: `alfred-sign-in-${parts.randomness.uuidV7()}`,
    image,
    adapter,
    user,
    engine,
    limits: { memoryBytes: RUN_MEMORY, cpus: RUN_CPUS, pids: RUN_PIDS },
    command,
    folder: { source: await parts.credentials.ownFolder(adapter, user), target },
    files: await parts.sandboxFiles.fixedFiles(user),
    labels: {
      ...parts.labels,
      [sandboxLabels.purpose]: 'sign-in',
      [sandboxLabels.adapter]: adapter.id,
    },
  })
}

/** Its end is told once the login was looked at again. */
const withoutEnd =
  (listener: SignInClient['listener']): TerminalClient['listener'] =>
  (event) => {
    if (event.type !== 'ended') listener(event)
  }

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
