import type { ForgeErrorType } from '@main/ports/forge'
import type { ForgejoFailure } from './status-errors'

/*
 * Requests that got no whole answer: not sent, cut, too slow, or refused by one side's TLS.
 */

/** For what Node itself has no error for, or does not always raise it (`ABORT_ERR`). */
export class AnswerRefused extends Error {
  constructor(
    readonly code: 'ALFRED_TIMEOUT' | 'ALFRED_TOO_LARGE' | 'ALFRED_PROXY' | 'ABORT_ERR',
    message: string,
  ) {
    super(message)
  }
}

export const failureWithoutRequest = (type: ForgeErrorType, message: string): ForgejoFailure => ({
  type,
  message,
  retryable: false,
  status: null,
  serverMessage: null,
  code: null,
  location: null,
  maybeApplied: false,
})

/** Raised before anything went out, so a write cannot have happened. */
const neverSent = new Set([
  'ALFRED_PROXY',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
/** A person has to mend the certificate, the address or the token first. */
const forPersons = new Set(['ERR_INVALID_CHAR', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO', 'ERR_INVALID_URL'])
const isCertificate = (code: string): boolean =>
  /CERT|SIGNATURE|ISSUER|SELF_SIGNED|^CRL_|HOSTNAME_MISMATCH|ERR_(SSL|TLS|OSSL)/.test(code)

export interface Cut {
  /** `GET /repos/o/r`, for the message. */
  readonly what: string
  readonly isWrite: boolean
  readonly withoutToken: (text: string) => string
}

export function failureOfCut(thrown: unknown, { what, isWrite, withoutToken }: Cut): ForgejoFailure {
  const code = codeOf(thrown)
  const words = withoutToken(thrown instanceof Error ? thrown.message : String(thrown))
  if (code === 'ERR_INVALID_CHAR') {
    return { ...failureWithoutRequest('unauthorized', 'The token holds characters that no token has.'), code }
  }
  const isTls = code !== null && isCertificate(code)
  return {
    type: code === 'ALFRED_TOO_LARGE' ? 'unexpected' : 'unreachable',
    message: isTls
      ? `The forge's certificate is not trusted (${code}, ${what}): ${words}`
      : `The forge cannot be reached (${what}): ${words}`,
    retryable: !isTls && code !== 'ALFRED_TOO_LARGE' && !forPersons.has(code ?? ''),
    status: null,
    serverMessage: null,
    code,
    location: null,
    maybeApplied: isWrite && !isTls && !neverSent.has(code ?? ''),
  }
}

/** A server with several addresses fails with one error that holds one for each of them. */
function codeOf(thrown: unknown): string | null {
  if (thrown instanceof AggregateError) return thrown.errors.map(codeOf).find((code) => code !== null) ?? null
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return null
  return typeof thrown.code === 'string' ? thrown.code : null
}
