import { isPublicOnly, mayWrite, roleOf, type Caller } from './access'
import { emptyRefusal, Refusal, type Refusals } from './answer'
import type { ForgeIssue, ForgeRepository, ForgeUser } from './forge-model'
import { fullName, issueOf, type ForgeState } from './forge-state'
import type { ForgeTraits } from './forge-traits'
import type { BareRepositories } from './git/bare-repositories'
import { hasPage, linkedHeaders, pageOf, slice, totalHeaders, type Page, type PageSizes } from './paging'
import type { Views } from './views/views'

/*
 * What a route sees of its request, and the questions that many routes ask.
 */

export interface RouteParts {
  readonly state: ForgeState
  readonly traits: ForgeTraits
  readonly git: BareRepositories
  readonly refuse: Refusals
  readonly caller: Caller
  readonly views: Views
  readonly pageSizes: PageSizes
  readonly method: string
  /** Below the root, with the query as it was sent. */
  readonly address: string
  readonly apiUrl: string
  readonly query: URLSearchParams
  readonly params: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

export class RouteContext {
  readonly parts: RouteParts
  constructor(parts: RouteParts) {
    this.parts = parts
  }

  get state(): ForgeState {
    return this.parts.state
  }
  get traits(): ForgeTraits {
    return this.parts.traits
  }
  get git(): BareRepositories {
    return this.parts.git
  }
  get refuse(): Refusals {
    return this.parts.refuse
  }
  get caller(): Caller {
    return this.parts.caller
  }
  get views(): Views {
    return this.parts.views
  }
  get query(): URLSearchParams {
    return this.parts.query
  }
  get body(): Readonly<Record<string, unknown>> {
    return this.parts.body
  }
  get now(): number {
    return this.parts.state.now()
  }

  param(name: string): string {
    return this.parts.params[name] ?? ''
  }

  /** A number in the address; NaN: none. */
  id(name: string): number {
    return /^-?\d+$/.test(this.param(name)) ? Number(this.param(name)) : Number.NaN
  }

  signedIn(): ForgeUser {
    const { user } = this.caller
    if (user === null) throw this.refuse(401, 'token is required')
    return user
  }

  /** The repository of the address, where the caller may read it; a former name is a redirect. */
  repository(): ForgeRepository {
    const { state, refuse, caller, traits } = this
    const owner = this.param('owner')
    const name = this.param('repo')
    const found = state.repository(owner, name)
    if (found === undefined) {
      const moved = state.movedRepository(owner, name)
      const isTold = moved !== undefined && (traits.movedForEverybody || roleOf(moved, caller.user) !== null)
      if (moved !== undefined && isTold) throw this.moved(owner, name, moved)
      if (state.user(owner) === undefined) {
        throw refuse.notFound([`user redirect does not exist [name: ${owner}]`], 'GetUserByName')
      }
      throw refuse.notFound()
    }
    if (roleOf(found, caller.user) === null) throw refuse.notFound()
    if (found.isPrivate && isPublicOnly(caller)) {
      if (traits.publicOnlyIs === 404) throw refuse.notFound()
      const what = this.parts.address.includes('/issues') ? 'issues' : 'repos'
      throw refuse(403, `token scope is limited to public ${what}`)
    }
    return found
  }

  private moved(owner: string, name: string, to: ForgeRepository): Refusal {
    const { method, address } = this.parts
    const location = address.replace(`/repos/${owner}/${name}`, `/repos/${fullName(to)}`)
    const words = this.traits.movedStatus === 301 ? 'Moved Permanently' : 'Temporary Redirect'
    return new Refusal({
      status: this.traits.movedStatus,
      headers: { location },
      ...(method === 'GET'
        ? { text: `<a href="${location}">${words}</a>.\n\n`, contentType: 'text/html; charset=utf-8' }
        : { text: '' }),
    })
  }

  /** The repository with its issues on. */
  tracker(): ForgeRepository {
    const repository = this.repository()
    if (!repository.hasIssues) throw this.refuse.notFound()
    return repository
  }

  issue(repository: ForgeRepository = this.repository()): ForgeIssue {
    const issue = issueOf(repository, this.id('index'))
    if (issue === undefined) throw this.refuse.notFound()
    return issue
  }

  pull(repository: ForgeRepository): ForgeIssue & { pull: NonNullable<ForgeIssue['pull']> } {
    const issue = this.issue(repository)
    if (!isPull(issue)) throw this.refuse.notFound()
    return issue
  }

  mustNotBeArchived(repository: ForgeRepository): void {
    if (repository.archivedAt === null) return
    const name = fullName(repository)
    throw this.refuse(
      423,
      `${this.traits.isForgejo ? `<Repository ${repository.id}:${name}>` : name} is archived`,
    )
  }

  mayWrite(repository: ForgeRepository): boolean {
    return mayWrite(repository, this.caller.user)
  }

  /** Refuses readers as the repository's own addresses do. */
  mustWrite(repository: ForgeRepository): void {
    if (!this.mayWrite(repository)) throw this.refuse(403, 'user should have a permission to write to a repo')
  }

  mustAdminister(repository: ForgeRepository): void {
    if (roleOf(repository, this.caller.user) !== 'admin') {
      throw this.refuse(403, 'user should be an owner or a collaborator with admin write of a repository')
    }
  }

  /** Texts are edited by their authors and by writers. */
  mayEdit(repository: ForgeRepository, author: ForgeUser): void {
    if (this.signedIn().id !== author.id && !this.mayWrite(repository)) throw emptyRefusal(403)
  }

  page(): Page {
    return pageOf(this.query, this.parts.pageSizes)
  }

  /** One page of a list that has no links; some servers give all of it unless a page is named. */
  pageWithoutLinks<T>(items: readonly T[]): { items: readonly T[]; headers: Record<string, string> } {
    const isWhole = !this.traits.limitsWithoutPage && !hasPage(this.query)
    return { items: isWhole ? items : slice(items, this.page()), headers: totalHeaders(items.length) }
  }

  linkedPage<T>(items: readonly T[]): { items: readonly T[]; headers: Record<string, string> } {
    const page = this.page()
    const headers = linkedHeaders(items.length, page, { url: this.parts.apiUrl, query: this.query })
    return { items: slice(items, page), headers }
  }
}

export const isPull = (issue: ForgeIssue): issue is ForgeIssue & { pull: NonNullable<ForgeIssue['pull']> } =>
  issue.pull !== null
