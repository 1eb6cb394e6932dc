import type { ConnectableKind, ForgeProblem, TokenGrant } from '@shared/contract/forges'
import type { Result } from '@shared/result'
import type { ForgePerson } from './forge'

/*
 * What connecting a forge needs of it, before and after it is stored. Nothing here keeps anything, and no message
 * holds a token.
 */

export interface ForgeAddress {
  /** With the path that the forge is served below, without a trailing slash. */
  readonly baseUrl: string
  /** For people, and the name of its token: host, port and path. */
  readonly name: string
  readonly isEncrypted: boolean
}

export interface ForgeAccess {
  readonly baseUrl: string
  /** Certificates to trust beside the usual ones; null: none. */
  readonly caPem: string | null
  /** null: nothing but what everybody may ask. */
  readonly token: string | null
}

export interface ForgeIdentity {
  readonly kind: ConnectableKind
  readonly version: string
  /** The forge's clock minus this computer's, in ms, known to a second; null: it does not say. */
  readonly clockDifferenceMs: number | null
}

export interface TokenReport {
  /** null: the token may not say whose it is. */
  readonly account: ForgePerson | null
  readonly grants: readonly TokenGrant[]
}

export interface ConnectableProject {
  /** `owner/name`, as the forge spells it. */
  readonly path: string
  readonly remoteId: string
  readonly defaultBranch: string
  readonly isPrivate: boolean
  readonly isEmpty: boolean
  /** Whether the account may write code and issues there, and the project takes them. */
  readonly mayWrite: boolean
  /** Why not, in words that follow the project's name: `is archived`; null where it may. */
  readonly unfitBecause: string | null
}

export interface ProjectsOfAccount {
  readonly projects: readonly ConnectableProject[]
  /** False: there are more than this reads. */
  readonly isWhole: boolean
}

type Answer<T> = Promise<Result<T, ForgeProblem>>

export interface ForgeConnector {
  /** Takes what people paste: a page of the forge, its API, a host. Asks nobody. */
  readAddress(pasted: string): Result<ForgeAddress, ForgeProblem>
  /** The certificates in a file, checked. */
  readCertificates(file: string): Answer<string>
  /** Asked without the token first: a wrong one makes even this fail. */
  identify(access: ForgeAccess): Answer<ForgeIdentity>
  /** Finds out what a token can do without changing anything. */
  examineToken(access: ForgeAccess): Answer<TokenReport>
  /** Projects that the account takes part in, also those that it may not write. */
  listProjects(access: ForgeAccess): Answer<ProjectsOfAccount>
  readProject(access: ForgeAccess, path: string): Answer<ConnectableProject>
  /** The same by the forge's id of it, which stays when it is renamed; null: it is gone, or not shown to the account. */
  findProject(access: ForgeAccess, remoteId: string): Answer<ConnectableProject | null>
  /** Names of all labels of the project, each as often as it is there. */
  listLabels(access: ForgeAccess, path: string): Answer<readonly string[]>
  /** The forge takes a second label of the same name: look first. */
  makeLabel(
    access: ForgeAccess,
    path: string,
    label: { readonly name: string; readonly color: string },
  ): Answer<void>
}
