import { basename, join } from 'node:path'
import type { Run } from '@shared/model/records'
import type { SettingValues } from '@shared/model/settings'
import type { Runner } from '@shared/model/words'
import { isInside, normalizeContainerPath, overlaps } from '../../core/sandbox/container-paths'
import {
  credentialMountsOf,
  credentialOverlap,
  credentialNamesOf,
  type CredentialMount,
} from '../../core/sandbox/credential-mounts'
import type { SandboxUser } from '../../core/sandbox/sandbox-user'
import type { AgentAdapter, AgentLogin } from '../../ports/agent-adapter'
import type { Clock } from '../../ports/clock'
import type { LoginFiles } from '../../ports/login-files'
import type { SandboxFiles } from '../../ports/sandbox-files'
import type { Secrets } from '../../ports/secrets'
import type { Installation } from '../../ports/stores'
import type { DataPaths } from '../runs/data-paths'

/*
 * How agents are signed in: login files that a person mounts, else those of the adapter's own folder, and secrets as
 * environment. Values pass through to the start of a container and are kept nowhere.
 */

/** What decides about the credentials of a run. */
export interface CredentialScope {
  readonly settings: Pick<SettingValues, 'AGENT_CREDENTIAL_MOUNTS' | 'AGENT_CREDENTIAL_ENV'>
  readonly provider: string | null
  readonly runner: Runner
}

export const credentialScopeOf = ({
  settings,
  run,
}: {
  readonly settings: CredentialScope['settings']
  readonly run: Pick<Run, 'provider' | 'runner'>
}): CredentialScope => ({ settings, provider: run.provider, runner: run.runner })

export interface StartCredentials {
  readonly mounts: readonly CredentialMount[]
  readonly environment: Readonly<Record<string, string>>
}

/** `target`: in the container; `source`: on this computer. */
export interface CredentialOverlap extends CredentialMount {
  readonly half: 'source' | 'target'
}

type Adapter = Pick<AgentAdapter, 'id' | 'login'>
export type LoginLook = Installation['loginState']

/** How a CLI is signed in. */
export interface LoginFacts {
  readonly state: LoginLook
  /** When it ends and a person must sign in again (epoch ms); null: never by itself, or nobody can say. */
  readonly endsAt: number | null
  /** What signs it in; null where nothing does, or nobody can say. */
  readonly source:
    | { readonly kind: 'environment'; readonly name: string }
    | { readonly kind: 'file'; readonly name: string }
    | null
  /** How many files and folders of this computer a start in a container gets to read for it. */
  readonly mounts: number
}

export interface AgentCredentials {
  /** What a start of the CLI gets, readable for the sandbox's user. */
  forStart(adapter: Adapter, scope: CredentialScope, user: SandboxUser): Promise<StartCredentials>
  /** The adapter's own folder, which its login writes: it and its files belong to the sandbox's user. */
  ownFolder(adapter: Adapter, user: SandboxUser): Promise<string>
  /** Reads the secrets of a start that is under way, so that they are taken out of what it prints. */
  remember(adapter: Adapter, scope: CredentialScope): Promise<void>
  /**
   * Whether the CLI is signed in, from files and names alone: no provider is asked. `unknown` where only the CLI could
   * say, as with another provider than its own. Makes the adapter's own folder, so that a person finds where its files
   * go.
   */
  login(adapter: Adapter, scope: CredentialScope): Promise<LoginLook>
  /** The same with what is known beside it, for people. */
  loginFacts(adapter: Adapter, scope: CredentialScope): Promise<LoginFacts>
  /**
   * The first mount, and which half of it, that the session state would be equal to, inside or around: in the container, or on this computer,
   * whatever links lead there. null: sessions and credentials are apart.
   */
  overlap(
    adapter: Pick<AgentAdapter, 'id' | 'sessionStatePath'>,
    settings: Pick<SettingValues, 'AGENT_CREDENTIAL_MOUNTS'>,
  ): Promise<CredentialOverlap | null>
}

export interface AgentCredentialParts {
  readonly secrets: Pick<Secrets, 'read'>
  readonly files: LoginFiles
  readonly sandboxFiles: Pick<SandboxFiles, 'ensureFolder'>
  readonly paths: Pick<DataPaths, 'credentials' | 'sessions'>
  readonly clock: Pick<Clock, 'now'>
  /** Whom the folders of logins belong to. */
  readonly user: SandboxUser
}

export function createAgentCredentials(parts: AgentCredentialParts): AgentCredentials {
  const { secrets, files, paths, clock } = parts

  const environmentOf = async (
    adapter: Adapter,
    { settings }: CredentialScope,
  ): Promise<Readonly<Record<string, string>>> => {
    const found: Record<string, string> = {}
    for (const name of credentialNamesOf(settings.AGENT_CREDENTIAL_ENV, adapter.id)) {
      const secret = await secrets.read(name)
      if (secret.ok && secret.value !== null) found[name] = secret.value
    }
    return found
  }

  const ownMounts = async (
    { id, login }: Adapter,
    user: SandboxUser,
  ): Promise<readonly CredentialMount[]> => {
    const mounts: CredentialMount[] = []
    for (const { name, target } of login?.files ?? []) {
      const source = join(paths.credentials(id), name)
      if ((await files.look(source)).type !== 'read') continue
      await files.handOver(source, user)
      mounts.push({ source, target })
    }
    return mounts
  }

  const fileLogin = async (
    login: AgentLogin,
    path: string,
    { ifUnreadable, mounts }: { readonly ifUnreadable: LoginLook; readonly mounts: number },
  ): Promise<LoginFacts> => {
    const found = await files.look(path)
    if (found.type !== 'read')
      return { ...nothing(found.type === 'missing' ? 'missing' : ifUnreadable), mounts }
    const state = login.read(found.content, clock.now())
    return {
      state,
      endsAt: state === 'missing' ? null : (login.endsAt?.(found.content) ?? null),
      source: state === 'missing' ? null : { kind: 'file', name: basename(path) },
      mounts,
    }
  }

  const mountedLogin = async (login: AgentLogin, chosen: readonly CredentialMount[]): Promise<LoginFacts> => {
    const mounts = chosen.length
    const [source] = login.files.flatMap(({ target }) => hostPathOf(target, chosen) ?? [])
    // Something else is mounted, which a person had a reason for.
    if (source === undefined) return { ...nothing('unknown'), mounts }
    return fileLogin(login, source, { ifUnreadable: 'unknown', mounts })
  }

  const ownLogin = async ({ id, login }: Adapter): Promise<LoginFacts> => {
    await parts.sandboxFiles.ensureFolder(paths.credentials(id), parts.user)
    const [own] = login?.files ?? []
    if (login === null || own === undefined) return nothing('missing')
    const facts = await fileLogin(login, join(paths.credentials(id), own.name), {
      ifUnreadable: 'missing',
      mounts: 1,
    })
    return facts.source === null ? { ...facts, mounts: 0 } : facts
  }

  const loginFacts: AgentCredentials['loginFacts'] = async (adapter, scope) => {
    const { login } = adapter
    if (login === null) return nothing('not_needed')
    if (scope.provider !== null && scope.provider !== login.provider) return nothing('unknown')
    const environment = await environmentOf(adapter, scope)
    const name = login.environment.find((candidate) => environment[candidate] !== undefined)
    const inEnvironment = name === undefined ? null : ({ kind: 'environment', name } as const)
    // Its home on the host is its own: only the CLI knows what else signs it in there.
    if (scope.runner === 'host')
      return inEnvironment === null ? nothing('unknown') : { ...nothing('found'), source: inEnvironment }
    const chosen = credentialMountsOf(scope.settings.AGENT_CREDENTIAL_MOUNTS, adapter.id)
    const inFiles = await (chosen.length > 0 ? mountedLogin(login, chosen) : ownLogin(adapter))
    // A variable goes before a file, which is mounted all the same.
    return inEnvironment === null
      ? inFiles
      : { state: 'found', endsAt: null, source: inEnvironment, mounts: inFiles.mounts }
  }

  return {
    async forStart(adapter, scope, user) {
      const environment = await environmentOf(adapter, scope)
      const chosen = credentialMountsOf(scope.settings.AGENT_CREDENTIAL_MOUNTS, adapter.id)
      if (chosen.length > 0 || adapter.login === null) return { mounts: chosen, environment }
      return { mounts: await ownMounts(adapter, user), environment }
    },
    async ownFolder(adapter, user) {
      const folder = paths.credentials(adapter.id)
      await parts.sandboxFiles.ensureFolder(folder, user)
      await ownMounts(adapter, user)
      return folder
    },
    async remember(adapter, scope) {
      await environmentOf(adapter, scope)
    },
    login: async (adapter, scope) => (await loginFacts(adapter, scope)).state,
    loginFacts,
    async overlap(adapter, settings) {
      const mounts = credentialMountsOf(settings.AGENT_CREDENTIAL_MOUNTS, adapter.id)
      const inContainer = credentialOverlap(adapter.sessionStatePath, mounts)
      if (inContainer !== null) return { ...inContainer, half: 'target' }
      if (adapter.sessionStatePath === null || mounts.length === 0) return null
      const sessions = await files.pathOf(paths.sessions)
      const sources = await Promise.all(mounts.map(({ source }) => files.pathOf(source)))
      const onHost = mounts.find((_, index) => overlaps(sources[index] ?? '/', sessions))
      return onHost === undefined ? null : { ...onHost, half: 'source' }
    },
  }
}

const nothing = (state: LoginLook): LoginFacts => ({ state, endsAt: null, source: null, mounts: 0 })

/** Where a file of the container lies on this computer; null when no mount covers it. */
function hostPathOf(target: string, mounts: readonly CredentialMount[]): string | null {
  for (const mount of mounts) {
    const folder = normalizeContainerPath(mount.target)
    if (folder !== null && isInside(target, folder)) return mount.source + target.slice(folder.length)
  }
  return null
}
