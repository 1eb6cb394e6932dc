import { createHash, randomBytes } from 'node:crypto'
import type {
  ForgeIssue,
  ForgeLabel,
  ForgeRepository,
  ForgeToken,
  ForgeUser,
  TimelineEntry,
} from './forge-model'

/*
 * Everything that one forge remembers, with its clock and its counters.
 */

/** The next id of each kind; a test that replays a recording sets them, so that later requests name the same things. */
export interface NextIds {
  user: number
  token: number
  repository: number
  issue: number
  /** Comments and events share one row of numbers. */
  entry: number
  label: number
  pull: number
  review: number
  status: number
}

export class ForgeState {
  readonly users: ForgeUser[] = []
  readonly tokens: ForgeToken[] = []
  readonly repositories: ForgeRepository[] = []
  /** Former `owner/name`, in small letters, of what was renamed or transferred. */
  readonly formerNames = new Map<string, ForgeRepository>()
  readonly nextIds: NextIds = {
    user: 1,
    token: 1,
    repository: 1,
    issue: 1,
    entry: 1,
    label: 1,
    pull: 1,
    review: 1,
    status: 1,
  }
  /** Epoch milliseconds of the server's own clock. */
  readonly now: () => number

  constructor(now: () => number) {
    this.now = () => Math.floor(now() / 1000) * 1000
  }

  idOf(kind: keyof NextIds): number {
    const id = this.nextIds[kind]
    this.nextIds[kind] = id + 1
    return id
  }

  user(login: string): ForgeUser | undefined {
    const wanted = login.toLowerCase()
    return this.users.find((user) => user.login.toLowerCase() === wanted)
  }

  userById(id: number): ForgeUser {
    return this.users.find((user) => user.id === id) ?? ghost
  }

  repository(owner: string, name: string): ForgeRepository | undefined {
    const wanted = `${owner}/${name}`.toLowerCase()
    return this.repositories.find((each) => !each.isDeleted && fullName(each).toLowerCase() === wanted)
  }

  /** Where a former name leads to, unless somebody took it again. */
  movedRepository(owner: string, name: string): ForgeRepository | undefined {
    const moved = this.formerNames.get(`${owner}/${name}`.toLowerCase())
    return moved === undefined || moved.isDeleted ? undefined : moved
  }

  labelsOf(repository: ForgeRepository): readonly ForgeLabel[] {
    return [...repository.labels, ...repository.owner.labels]
  }

  labelWithId(id: number): ForgeLabel | undefined {
    const owned = this.users.flatMap(({ labels }) => labels)
    return [...owned, ...this.repositories.flatMap(({ labels }) => labels)].find((label) => label.id === id)
  }

  findEntry(
    repository: ForgeRepository,
    id: number,
  ): { issue: ForgeIssue; entry: TimelineEntry } | undefined {
    for (const issue of repository.issues) {
      const entry = issue.entries.find((each) => each.id === id)
      if (entry !== undefined) return { issue, entry }
    }
    return undefined
  }

  newToken(userId: number, name: string, scopes: readonly string[]): ForgeToken {
    const token: ForgeToken = {
      id: this.idOf('token'),
      name,
      secret: randomBytes(20).toString('hex'),
      userId,
      scopes,
      isRevoked: false,
    }
    this.tokens.push(token)
    return token
  }
}

/** Stands for every deleted account. */
export const ghost: ForgeUser = {
  id: -1,
  login: 'Ghost',
  fullName: '',
  email: '',
  isAdmin: false,
  isOrganization: false,
  createdAt: 0,
  refusal: null,
  blocked: new Set(),
  password: '',
  labels: [],
  members: new Map(),
}

export const fullName = (repository: ForgeRepository): string =>
  `${repository.owner.login}/${repository.name}`

export const issueOf = (repository: ForgeRepository, number: number): ForgeIssue | undefined =>
  repository.issues.find((issue) => issue.number === number)

export const avatarHash = (user: ForgeUser): string =>
  createHash('md5').update(user.email.toLowerCase()).digest('hex')
