import type { SandboxContract } from '@shared/contract/runs'
import type { BindMount, ContainerSpec, TmpfsMount } from './container-spec'

/*
 * The container contract in words, for the person who looks at the run. It says what is so, not what is hoped for.
 */

export interface SandboxContractFacts {
  readonly spec: ContainerSpec
  readonly imageDigest: string | null
  readonly rootless: boolean
  readonly timeoutMs: number
  /** Names of environment variables with secrets. */
  readonly secretEnvironment: readonly string[]
  /** Login files that the settings name, but that nobody has agreed to mount. */
  readonly unagreedLogins: readonly string[]
}

export function sandboxContract(facts: SandboxContractFacts): SandboxContract {
  const { spec } = facts
  return {
    runner: 'container',
    image: spec.image,
    imageDigest: facts.imageDigest,
    user: userWords(spec.user, facts.rootless),
    cpus: spec.limits.cpus,
    memoryBytes: spec.limits.memoryBytes,
    pids: spec.limits.pids,
    timeoutMs: facts.timeoutMs,
    network: spec.network === 'none' ? 'none' : 'open: the internet and what this computer serves',
    credentials: credentialWords(facts),
    mounts: spec.mounts.map((mount) => ({
      target: mount.target,
      access: accessOf(mount),
      purpose: mount.purpose,
    })),
  }
}

function userWords(user: { readonly uid: number; readonly gid: number }, rootless: boolean): string {
  if (rootless) return 'uid 0 inside, your own unprivileged user outside (rootless engine); no capabilities'
  return `uid ${user.uid}, gid ${user.gid}; no capabilities, no new privileges`
}

function accessOf(mount: BindMount | TmpfsMount): 'rw' | 'ro' | 'tmpfs' {
  if (mount.kind === 'tmpfs') return 'tmpfs'
  return mount.readOnly ? 'ro' : 'rw'
}

function credentialWords(facts: SandboxContractFacts): string {
  const given = [
    ...facts.spec.mounts.flatMap((mount) =>
      mount.kind === 'bind' && mount.isLogin === true ? [`${mount.source} (read-only)`] : [],
    ),
    ...facts.secretEnvironment.map((name) => `$${name}`),
  ]
  const warning =
    facts.spec.network === 'none'
      ? 'the agent can read these credentials'
      : 'the agent can read these credentials and, with the network open, send them away'
  const words = given.length === 0 ? 'none' : `${given.join(', ')}: ${warning}`
  if (facts.unagreedLogins.length === 0) return words
  return `${words}. Not mounted, since nobody has agreed to it yet (AGENT_CREDENTIAL_MOUNTS): ${facts.unagreedLogins.join(', ')}`
}

/** What holds without a container: nothing keeps the agent in. */
export function hostRunnerContract(timeoutMs: number): SandboxContract {
  return {
    runner: 'host',
    image: null,
    imageDigest: null,
    user: 'your own user of this computer, with an empty home of its own; nothing keeps the agent from your files',
    cpus: null,
    memoryBytes: null,
    pids: null,
    timeoutMs,
    network: 'open: everything this computer reaches',
    credentials: 'everything that your user can read',
    mounts: [],
  }
}
