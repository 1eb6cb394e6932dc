/*
 * In what the three servers differ. Everything else is alike, so routes and views ask here instead of for a name.
 */

/** As the recordings are named: Gitea 1.26.3, a Gitea without `content_version`, Forgejo 11. */
export type ForgeServerKind = 'gitea' | 'gitea-1.26-dev' | 'forgejo'

export interface ForgeTraits {
  readonly kind: ForgeServerKind
  readonly version: string
  /** Name of Basic authentication's realm. */
  readonly realm: string
  readonly isForgejo: boolean
  /** Bodies carry a version, and a stale one is refused with 409. */
  readonly hasContentVersion: boolean
  /** Labels, feeds, timelines, reviews and statuses obey `limit` although no page is named. */
  readonly limitsWithoutPage: boolean
  /** Addresses for people follow the request's `Host`, a forged one too; else the configured root. */
  readonly followsHost: boolean
  readonly readsForwardedProtocol: boolean
  readonly wrongToken: string
  readonly wrongGitPassword: string
  /** A 403 for a scope says which scopes the token has. */
  readonly namesTokenScopes: boolean
  /** A token for public things only: 403 with words, or plain 404. */
  readonly publicOnlyIs: 403 | 404
  /** Own tokens are listed by token, with their scopes. */
  readonly listsTokensByToken: boolean
  readonly movedStatus: 301 | 307
  /** People without access are told where a repository moved. */
  readonly movedForEverybody: boolean
  readonly stateWithoutStatuses: string
  /** What a warning among successes makes of the combined state. */
  readonly warningState: string
  readonly missingIssueForComment: 404 | 500
  readonly unknownStateIsRefused: boolean
  readonly missingHeadStatus: 404 | 500
  readonly missingBranchDeleted: 204 | 404 | 500
  /** A branch that git has and the API does not know yet. */
  readonly lateBranchStatus: 404 | 500
  readonly canLock: boolean
  readonly canBlock: boolean
  readonly keepsReviewRequests: boolean
  readonly labelRefusalIsPage: boolean
  readonly filtersPullsByBase: boolean
  readonly sortsRepositoryList: boolean
  readonly noReplyAddress: (user: { readonly id: number; readonly login: string }) => string
}

const gitea: ForgeTraits = {
  kind: 'gitea',
  version: '1.26.3',
  realm: 'Gitea',
  isForgejo: false,
  hasContentVersion: true,
  limitsWithoutPage: true,
  followsHost: true,
  readsForwardedProtocol: true,
  wrongToken: 'invalid username, password or token',
  wrongGitPassword: 'Failed to authenticate user\n',
  namesTokenScopes: true,
  publicOnlyIs: 404,
  listsTokensByToken: false,
  movedStatus: 301,
  movedForEverybody: true,
  stateWithoutStatuses: 'pending',
  warningState: 'failure',
  missingIssueForComment: 500,
  unknownStateIsRefused: true,
  missingHeadStatus: 404,
  missingBranchDeleted: 404,
  lateBranchStatus: 500,
  canLock: true,
  canBlock: true,
  keepsReviewRequests: false,
  labelRefusalIsPage: false,
  filtersPullsByBase: true,
  sortsRepositoryList: false,
  noReplyAddress: ({ id, login }) => `${id}+${login.toLowerCase()}@noreply.localhost`,
}

const olderGitea: ForgeTraits = {
  ...gitea,
  kind: 'gitea-1.26-dev',
  version: 'development',
  hasContentVersion: false,
  limitsWithoutPage: false,
  followsHost: false,
  wrongToken: 'user does not exist [uid: 0, name: ]',
  publicOnlyIs: 403,
  stateWithoutStatuses: '',
  warningState: 'success',
  missingBranchDeleted: 204,
  keepsReviewRequests: true,
  noReplyAddress: ({ login }) => `${login.toLowerCase()}@noreply.localhost`,
}

const forgejo: ForgeTraits = {
  ...olderGitea,
  kind: 'forgejo',
  version: '11.0.15-2-0105233ebb+gitea-1.22.0',
  realm: 'Gitea',
  isForgejo: true,
  readsForwardedProtocol: false,
  wrongGitPassword:
    'Credentials are incorrect or have expired. Retry your command or see https://codeberg.org/forgejo/forgejo/issues/2809 for more information\n',
  namesTokenScopes: false,
  listsTokensByToken: true,
  warningState: 'warning',
  movedStatus: 307,
  movedForEverybody: false,
  missingIssueForComment: 404,
  unknownStateIsRefused: false,
  missingHeadStatus: 500,
  missingBranchDeleted: 500,
  lateBranchStatus: 404,
  canLock: false,
  canBlock: false,
  labelRefusalIsPage: true,
  filtersPullsByBase: false,
  sortsRepositoryList: true,
}

export const forgeTraits: Readonly<Record<ForgeServerKind, ForgeTraits>> = {
  gitea,
  'gitea-1.26-dev': olderGitea,
  forgejo,
}
