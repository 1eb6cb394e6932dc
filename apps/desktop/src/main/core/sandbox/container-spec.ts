/*
 * One container, in our words. The engine's adapter adds what always holds: read-only root, no capabilities,
 * no new privileges, an init process, no log.
 */

export interface BindMount {
  readonly kind: 'bind'
  readonly source: string
  readonly target: string
  readonly readOnly: boolean
  /** What it is for, in the words of the sandbox contract. */
  readonly purpose: string
  /** It signs an agent in. */
  readonly isLogin?: true
}

export interface TmpfsMount {
  readonly kind: 'tmpfs'
  readonly target: string
  readonly sizeBytes: number
  readonly exec: boolean
  readonly purpose: string
}

export interface ContainerLimits {
  readonly memoryBytes: number
  readonly cpus: number
  readonly pids: number
}

export interface ContainerSpec {
  /** Derived from run uid, attempt and start, so that creating twice is seen as a name clash. */
  readonly name: string
  readonly image: string
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly workingDirectory: string
  readonly user: { readonly uid: number; readonly gid: number }
  readonly mounts: readonly (BindMount | TmpfsMount)[]
  readonly limits: ContainerLimits
  readonly network: 'none' | 'bridge'
  readonly labels: Readonly<Record<string, string>>
  /** What runs in it has a terminal, and its streams are that terminal's. */
  readonly hasTerminal?: true
}
