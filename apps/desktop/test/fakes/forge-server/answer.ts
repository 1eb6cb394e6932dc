import type { ForgeTraits } from './forge-traits'

/*
 * What the server answers, and the shapes of its refusals.
 */

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, `null` too. */
  readonly json?: unknown
  readonly text?: string
  readonly contentType?: string
}

/** Thrown by whoever finds that a request must not go on. */
export class Refusal extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super(`refused with ${answer.status}`)
    this.answer = answer
  }
}

export const ok = (json: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  json,
  headers,
})
export const created = (json: unknown): Answer => ({ status: 201, json })
export const noContent: Answer = { status: 204 }
/** How the servers refuse an edit of somebody else's text. */
export const emptyRefusal = (status: number): Refusal => new Refusal({ status })

/** The refusals of one server; `root` is its configured address. */
export interface Refusals {
  (status: number, message: string): Refusal
  notFound(errors?: readonly string[], message?: string): Refusal
  /** A 500 that says nothing. */
  unexpected(): Refusal
}

export function refusalsOf(traits: ForgeTraits, root: string): Refusals {
  const url = `${root}/api/swagger`
  const refuse = (status: number, message: string): Refusal => new Refusal({ status, json: { message, url } })
  const notFound = (errors?: readonly string[], message?: string): Refusal =>
    new Refusal({
      status: 404,
      json: traits.isForgejo
        ? { message: message ?? "The target couldn't be found.", url, errors: errors ?? [] }
        : { errors: errors ?? null, message: message ?? 'not found', url },
    })
  return Object.assign(refuse, { notFound, unexpected: () => refuse(500, '') })
}

export const plainText = (status: number, text: string): Answer => ({
  status,
  text,
  contentType: 'text/plain;charset=utf-8',
})

export const page = (status: number, title: string): Answer => ({
  status,
  text: `<!DOCTYPE html>\n<html lang="en-US">\n<head>\n\t<title>${title} - Forge</title>\n</head>\n<body>${title}</body>\n</html>\n`,
  contentType: 'text/html; charset=utf-8',
})
