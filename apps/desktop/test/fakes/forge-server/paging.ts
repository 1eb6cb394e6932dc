import type { Answer } from './answer'

/*
 * Pages as the servers make them: `limit` is clamped without a word, and the `Link` header is built from the
 * configured root, whatever host was asked.
 */

export interface PageSizes {
  readonly standard: number
  readonly largest: number
}

export interface Page {
  readonly number: number
  readonly limit: number
}

const positive = (text: string | null): number | null => {
  const value = Number(text ?? '')
  return Number.isInteger(value) && value > 0 ? value : null
}

export const hasPage = (query: URLSearchParams): boolean => query.has('page') && query.get('page') !== ''

export const pageOf = (query: URLSearchParams, sizes: PageSizes): Page => ({
  number: positive(query.get('page')) ?? 1,
  limit: Math.min(positive(query.get('limit')) ?? sizes.standard, sizes.largest),
})

export const slice = <T>(items: readonly T[], { number, limit }: Page): T[] =>
  items.slice((number - 1) * limit, number * limit)

export const totalHeaders = (total: number): Record<string, string> => ({
  'access-control-expose-headers': 'X-Total-Count',
  'x-total-count': String(total),
})

/** The headers of a list that links to its other pages. */
export function linkedHeaders(
  total: number,
  page: Page,
  address: { readonly url: string; readonly query: URLSearchParams },
): Record<string, string> {
  const pages = Math.max(1, Math.ceil(total / page.limit))
  const current = Math.min(page.number, pages)
  const linkTo = (number: number, relation: string): string => {
    const query = new URLSearchParams(address.query)
    query.set('page', String(number))
    query.sort()
    return `<${address.url}?${query.toString()}>; rel="${relation}"`
  }
  const links = [
    ...(current < pages ? [linkTo(current + 1, 'next'), linkTo(pages, 'last')] : []),
    ...(current > 1 ? [linkTo(1, 'first'), linkTo(current - 1, 'prev')] : []),
  ]
  if (links.length === 0) return totalHeaders(total)
  return {
    'access-control-expose-headers': 'Link, X-Total-Count',
    link: links.join(','),
    'x-total-count': String(total),
  }
}

export const list = (json: unknown, headers: Readonly<Record<string, string>>): Answer => ({
  status: 200,
  json,
  headers,
})
