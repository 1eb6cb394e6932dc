/*
 * What a person types to find issues: words, `"a phrase"`, `#12`, `is:open`, `label:x`, `labels:x,y`,
 * `assignee:login|me|none`, `author:login|me`. Whatever is not understood is searched for as text.
 */

export interface IssueQuery {
  readonly state: 'open' | 'closed' | 'all'
  /** The issue has all of them. */
  readonly labels: readonly string[]
  /** A login, or `me`, or `none`; null: does not matter. */
  readonly assignee: string | null
  readonly author: string | null
  readonly iid: number | null
  /** Words and phrases; the issue has all of them. */
  readonly terms: readonly string[]
}

const token = /([a-z]+:)?"([^"]*)"?|(\S+)/gi

/** Never fails: every text is a query. */
export function parseIssueQuery(text: string): IssueQuery {
  let query: IssueQuery = { state: 'all', labels: [], assignee: null, author: null, iid: null, terms: [] }
  for (const [, quotedFilter, quoted, plain] of text.slice(0, 1_000).matchAll(token)) {
    if (plain === undefined && quotedFilter === undefined) query = withTerm(query, quoted ?? '')
    else query = withToken(query, plain ?? `${quotedFilter ?? ''}${quoted ?? ''}`)
  }
  return query
}

function withToken(query: IssueQuery, text: string): IssueQuery {
  const number = /^#(\d{1,9})$/.exec(text)?.[1]
  if (number !== undefined) return { ...query, iid: Number(number) }
  const colon = text.indexOf(':')
  const value = text.slice(colon + 1)
  if (colon < 1 || value === '') return withTerm(query, text)
  return withFilter(query, text.slice(0, colon).toLowerCase(), value) ?? withTerm(query, text)
}

function withFilter(query: IssueQuery, name: string, value: string): IssueQuery | null {
  switch (name) {
    case 'is':
    case 'state':
      return value === 'open' || value === 'closed' || value === 'all' ? { ...query, state: value } : null
    case 'label':
      return { ...query, labels: [...query.labels, value] }
    case 'labels':
      return { ...query, labels: [...query.labels, ...value.split(',').filter((label) => label !== '')] }
    case 'assignee':
      return { ...query, assignee: value }
    case 'author':
      return { ...query, author: value }
    default:
      return null
  }
}

/** A term without a letter or digit finds nothing in a word index, so it is left out. */
function withTerm(query: IssueQuery, term: string): IssueQuery {
  return /[\p{L}\p{N}]/u.test(term)
    ? { ...query, terms: [...query.terms, term.replaceAll('\0', ' ')] }
    : query
}

/** The terms as an FTS5 expression, each a quoted phrase whose last word may go on; null when there is none. */
export function toFullTextQuery(terms: readonly string[]): string | null {
  if (terms.length === 0) return null
  return terms.map((term) => `"${term.replaceAll('"', '""')}"*`).join(' AND ')
}
