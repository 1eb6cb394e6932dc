import type { ForgeError, ForgeErrorType } from '@main/ports/forge'

/*
 * What an HTTP status means for the engine. Bodies of errors are JSON, JSON with an empty message, empty, plain text
 * or an HTML page, so the status alone decides; a text is only shown.
 */

/** What went wrong with one request, with what only this adapter and the connect screen look at. */
export interface ForgejoFailure extends ForgeError {
  /** null: no whole answer arrived. */
  readonly status: number | null
  /** The server's own words, bounded and without the token; null: none that a person could read. */
  readonly serverMessage: string | null
  /** Node's code (`ENOTFOUND`, `CERT_HAS_EXPIRED`, …) where there was no answer. */
  readonly code: string | null
  /** Where a redirect points; never followed. */
  readonly location: string | null
  /** Whether a write may have happened nevertheless, so that the caller has to look before it repeats it. */
  readonly maybeApplied: boolean
}

interface Meaning {
  readonly type: ForgeErrorType
  readonly retryable: boolean
  readonly words: string
}

const meanings: Readonly<Record<number, Meaning>> = {
  400: { type: 'invalid', retryable: false, words: 'does not accept the request' },
  401: { type: 'unauthorized', retryable: false, words: 'does not accept the token' },
  403: { type: 'forbidden', retryable: false, words: 'does not allow it' },
  404: { type: 'not_found', retryable: false, words: 'does not know it, or hides it from this account' },
  405: { type: 'invalid', retryable: false, words: 'has no such function, or not now' },
  407: { type: 'unreachable', retryable: true, words: 'is behind a proxy that wants a login' },
  408: { type: 'unreachable', retryable: true, words: 'took too long' },
  409: { type: 'conflict', retryable: false, words: 'has something else there' },
  410: { type: 'not_found', retryable: false, words: 'says that it is gone' },
  412: { type: 'conflict', retryable: false, words: 'refuses it as things stand' },
  413: { type: 'invalid', retryable: false, words: 'finds it too large' },
  422: { type: 'invalid', retryable: false, words: 'does not accept what was sent' },
  423: { type: 'forbidden', retryable: false, words: 'has it archived or locked' },
  425: { type: 'unreachable', retryable: true, words: 'is not ready' },
  429: { type: 'rate_limited', retryable: true, words: 'wants fewer requests' },
  502: { type: 'unreachable', retryable: true, words: 'does not answer behind its proxy' },
  503: { type: 'unreachable', retryable: true, words: 'is not available' },
  504: { type: 'unreachable', retryable: true, words: 'does not answer behind its proxy' },
}

export interface FailedAnswer {
  /** `GET /repos/o/r`, for the message. */
  readonly what: string
  readonly status: number
  readonly serverMessage: string | null
  readonly retryAfterMs: number | null
  readonly location: string | null
  readonly isWrite: boolean
}

export function failureOfStatus(answer: FailedAnswer): ForgejoFailure {
  const { what, status, serverMessage, retryAfterMs, location, isWrite } = answer
  const meaning = meanings[status] ?? meaningOfRange(status, location)
  const said = serverMessage === null ? '' : `: ${serverMessage}`
  return {
    type: meaning.type,
    message: `The forge ${meaning.words} (${status}, ${what})${said}`,
    retryable: meaning.retryable,
    ...(meaning.retryable && retryAfterMs !== null && { retryAfterMs }),
    status,
    serverMessage,
    code: null,
    location,
    maybeApplied: isWrite && status >= 500,
  }
}

function meaningOfRange(status: number, location: string | null): Meaning {
  if (status >= 500) return { type: 'unexpected', retryable: true, words: 'had an error of its own' }
  if (status >= 400) return { type: 'invalid', retryable: false, words: 'does not accept the request' }
  if (status >= 300) {
    const where = location === null ? 'elsewhere' : `to ${location}`
    return {
      type: 'not_found',
      retryable: false,
      words: `points ${where}, which is not followed; was it renamed or moved?`,
    }
  }
  return { type: 'unexpected', retryable: true, words: 'gave an answer that cannot be read' }
}

/** `Retry-After` in seconds or as a date, which is one of the server's clock. Never more than an hour. */
export function readRetryAfter(header: string | null, serverTime: number | null): number | null {
  if (header === null) return null
  const text = header.trim()
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - (serverTime ?? Date.now())
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), 3_600_000)
}

/** The readable part of an error's body, whatever it is made of. */
export function readServerMessage(contentType: string, text: string): string | null {
  if (contentType.includes('html') || /^\s*<(!doctype|html)/i.test(text)) return null
  const words = contentType.includes('json') ? messageOfJson(text) : text
  const plain = (words ?? '').replace(/\p{Cc}+/gu, ' ').trim()
  return plain === '' ? null : plain.slice(0, 300)
}

function messageOfJson(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text)
    const isObject = typeof body === 'object' && body !== null && 'message' in body
    return isObject && typeof body.message === 'string' ? body.message : null
  } catch {
    return null
  }
}
