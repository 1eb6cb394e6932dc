import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { MailboxRow } from '@shared/contract/mailboxes'
import type { MailboxFilter } from '@shared/model/words'
import type { ProjectId } from '@shared/model/ids'
import { engine, type QueryInput, type QueryOutput } from '../../lib/engine-client'

/** More than fill a tall window; the next come before its end is scrolled to. */
const pageSize = 40

export interface MailboxQuery {
  readonly filter: MailboxFilter
  readonly projectId: ProjectId | null
  /** What is typed into the filter; empty is no filter. */
  readonly text: string
}

export interface Mailboxes {
  readonly rows: readonly MailboxRow[]
  readonly isLoading: boolean
  readonly hasFailed: boolean
  readonly hasMore: boolean
  readonly loadMore: () => void
}

const listInput = ({ filter, projectId, text }: MailboxQuery) => ({
  filter,
  projectId,
  text: text.trim() === '' ? null : text.trim(),
  limit: pageSize,
})

/** What the first page of a list is asked with. */
export const firstPageOf = (list: MailboxQuery): QueryInput<'mailboxes.list'> => ({
  ...listInput(list),
  before: null,
})

/** The list of a filter as a held query. */
export function mailboxListQuery(list: MailboxQuery) {
  const input = listInput(list)
  return infiniteQueryOptions({
    queryKey: ['mailboxes.list', input],
    queryFn: ({ pageParam }) => engine.query('mailboxes.list', { ...input, before: pageParam }),
    initialPageParam: null as { readonly updatedAt: number; readonly id: number } | null,
    getNextPageParam: (last: QueryOutput<'mailboxes.list'>) => {
      const row = last.rows.at(-1)
      return last.hasMore && row ? { updatedAt: row.updatedAt, id: row.id } : undefined
    },
  })
}

/** The mailboxes of a filter, a page at a time, latest first. */
export function useMailboxes(list: MailboxQuery): Mailboxes {
  const query = useInfiniteQuery({
    ...mailboxListQuery(list),
    // while other words are typed the old rows stay; another list begins empty, or its first row would be the wrong one
    placeholderData: (before, query) => (isSameList(query?.queryKey[1], list) ? before : undefined),
  })
  const rows = useMemo(() => uniqueRows(query.data?.pages.flatMap((page) => page.rows) ?? []), [query.data])
  return {
    rows,
    isLoading: query.isPending,
    hasFailed: query.isError,
    hasMore: query.hasNextPage,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
    },
  }
}

type ListInput = Pick<MailboxQuery, 'filter' | 'projectId'>

const isSameList = (a: unknown, b: ListInput): boolean =>
  typeof a === 'object' &&
  a !== null &&
  (a as ListInput).filter === b.filter &&
  (a as ListInput).projectId === b.projectId

/** A row that moved up between two pages is in both: its first place counts. */
const uniqueRows = (rows: readonly MailboxRow[]): readonly MailboxRow[] =>
  [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed()
