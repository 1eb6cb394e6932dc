import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import {
  engine,
  type EngineError,
  type QueryChannel,
  type QueryInput,
  type QueryOutput,
} from './engine-client'

export interface QueryOptions {
  /** False: nothing is asked yet. */
  readonly enabled?: boolean
  /** Goes on showing the last answer while another input is asked. */
  readonly keepPrevious?: boolean
}

/** The key under which the answer of an entry is held. */
export const queryKeyOf = <C extends QueryChannel>(channel: C, input: QueryInput<C>) =>
  [channel, input] as const

/** A contract query as a held query. */
export const entryQuery = <C extends QueryChannel>(channel: C, input: QueryInput<C>) => ({
  queryKey: queryKeyOf(channel, input),
  queryFn: () => engine.query(channel, input),
})

/** A part of what the engine's status says; drawn again only when that part changes. Undefined until it is known. */
export function useStatusPart<T>(part: (status: QueryOutput<'app.status'>) => T): T | undefined {
  return useQuery({ ...entryQuery('app.status', {}), select: part }).data
}

/** What a contract query says, asked again whenever the engine reports that it changed. */
export function useQueryEntry<C extends QueryChannel>(
  channel: C,
  input: QueryInput<C>,
  options: QueryOptions = {},
): UseQueryResult<QueryOutput<C>, EngineError> {
  return useQuery<QueryOutput<C>, EngineError>({
    ...entryQuery(channel, input),
    enabled: options.enabled ?? true,
    ...(options.keepPrevious && { placeholderData: keepPreviousData }),
  })
}
