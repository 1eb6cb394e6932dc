import type { z } from 'zod'
import { err, ok, type Result } from '@shared/result'
import type { ForgeError } from '@main/ports/forge'
import type { CallOptions, ForgejoAnswer, ForgejoTransport } from './transport'

/*
 * Answers become values here, whole or not at all.
 */

/** An answer that is not what the forge promises may be a proxy's, so asking again may help. */
export function readAs<S extends z.ZodType>(
  schema: S,
  answer: ForgejoAnswer,
  what: string,
): Result<z.output<S>, ForgeError> {
  const read = schema.safeParse(answer.body)
  if (read.success) return ok(read.data)
  const [issue] = read.error.issues
  return err({
    type: 'unexpected',
    message: `The forge's answer cannot be read (${what}): ${issue?.path.join('.')} ${issue?.message}`,
    retryable: true,
  })
}

export async function getAs<S extends z.ZodType>(
  transport: ForgejoTransport,
  path: string,
  schema: S,
  options?: CallOptions,
): Promise<Result<z.output<S>, ForgeError>> {
  const answer = await transport.get(path, options)
  return answer.ok ? readAs(schema, answer.value, path) : answer
}

/** As many as any of these servers gives; smaller ones clamp it without a word. */
export const largestPage = 50

/** Far beyond what a forge holds for one issue or commit: a server that never ends is no server. */
const mostPages = 2_000

/**
 * All pages of a list that is short: labels of a repository, events of an issue, statuses of a commit. By number, since
 * `Link` is missing on many lists and names another host on some. `until: 'total'` believes the total that the server
 * sends; `'empty_page'` is for lists whose total is that of the page, or whose pages are cut after they were made.
 */
export async function getAllPages<T>(
  transport: ForgejoTransport,
  path: string,
  schema: z.ZodType<readonly T[]>,
  options: {
    readonly until: 'total' | 'empty_page'
    readonly query?: CallOptions['query']
    /** Default: 1. */
    readonly firstPage?: number
  },
): Promise<Result<readonly T[], ForgeError>> {
  const items: T[] = []
  for (let page = options.firstPage ?? 1; page <= mostPages; page++) {
    const answer = await transport.get(path, { query: { ...options.query, page, limit: largestPage } })
    if (!answer.ok) return answer
    const read = readAs(schema, answer.value, path)
    if (!read.ok) return read
    items.push(...read.value)
    if (read.value.length === 0) return ok(items)
    const total = options.until === 'total' ? totalOf(answer.value) : null
    if (total !== null && items.length >= total) return ok(items)
  }
  return err({ type: 'unexpected', message: `The list ${path} does not end.`, retryable: false })
}

/** As the servers write times themselves: whole seconds, in UTC. */
export const toServerTime = (seconds: number): string =>
  new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')

export function totalOf(answer: ForgejoAnswer): number | null {
  const text = answer.header('x-total-count')
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null
}
