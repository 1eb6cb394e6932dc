import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './answer'

/*
 * Ways in which the server, or something between it and the client, fails.
 */

export type Fault =
  /** The connection is closed without a word. */
  | { readonly kind: 'down' }
  | { readonly kind: 'slow'; readonly ms: number }
  /** A proxy's page instead of JSON. */
  | { readonly kind: 'html'; readonly status?: number }
  /** The answer begins with its real length, then the connection is gone. */
  | { readonly kind: 'half' }
  | { readonly kind: 'too_many'; readonly retryAfterSeconds?: number }
  /** What was asked for is done, and 500 says that it was not. */
  | { readonly kind: 'done_but_500' }
  /** What was asked for is done, and the connection is closed without a word. */
  | { readonly kind: 'done_but_down' }
  /** A proxy sends the request a second time and answers with the second answer. */
  | { readonly kind: 'twice' }

export interface FaultRule {
  readonly fault: Fault
  /** Which requests meet it; none given: all. */
  readonly method?: string
  /** Only what changes something: every method but GET, and of git only pushes. */
  readonly onlyWrites?: boolean
  /** Matched against the path below the root, with its query. */
  readonly path?: RegExp
  /** Only requests with this token. */
  readonly token?: string
  /** So many of them go well before. */
  readonly skip?: number
  /** After each one that meets it, so many go well again. */
  readonly thenSkip?: number
  /** How often; none given: until it is cleared. */
  readonly times?: number
  readonly onMet?: () => void
}

/** In the API as it is, for git as the password. */
function carries(authorization: string, token: string): boolean {
  const basic = /^Basic (.+)$/i.exec(authorization)?.[1]
  return (basic === undefined ? authorization : Buffer.from(basic, 'base64').toString()).includes(token)
}

const isWrite = (method: string, address: string): boolean =>
  method !== 'GET' && !address.endsWith('/git-upload-pack')

export class Faults {
  private rules: { readonly rule: FaultRule; left: number; skip: number }[] = []

  add(rule: FaultRule): void {
    this.rules.push({ rule, left: rule.times ?? Number.POSITIVE_INFINITY, skip: rule.skip ?? 0 })
  }

  clear(): void {
    this.rules = []
  }

  /** The first fault that this request meets; counts it. */
  next(method: string, address: string, authorization = ''): Fault | null {
    const met = this.rules.find(
      ({ rule, left }) =>
        left > 0 &&
        (rule.method === undefined || rule.method === method) &&
        (rule.onlyWrites !== true || isWrite(method, address)) &&
        (rule.token === undefined || carries(authorization, rule.token)) &&
        (rule.path === undefined || rule.path.test(address)),
    )
    if (met === undefined) return null
    if (met.skip > 0) {
      met.skip -= 1
      return null
    }
    met.left -= 1
    met.skip = met.rule.thenSkip ?? 0
    met.rule.onMet?.()
    return met.rule.fault
  }
}

const proxyPage =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n'

/** Answers in the fault's way; null: the request goes on as usual. */
export async function meetBefore(
  fault: Fault,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<'answered' | 'goes_on'> {
  switch (fault.kind) {
    case 'down':
      request.socket.destroy()
      return 'answered'
    case 'html':
      response.writeHead(fault.status ?? 502, { 'content-type': 'text/html' }).end(proxyPage)
      return 'answered'
    case 'too_many': {
      const { retryAfterSeconds: seconds } = fault
      response
        .writeHead(429, {
          'content-type': 'text/plain',
          ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }),
        })
        .end('Too Many Requests\n')
      return 'answered'
    }
    case 'slow':
      if (fault.ms > 0) await sleep(fault.ms)
      return 'goes_on'
    case 'half':
    case 'done_but_500':
    case 'done_but_down':
    case 'twice':
      return 'goes_on'
  }
}

export const disguise = (fault: Fault | null, answer: Answer): Answer =>
  fault?.kind === 'done_but_500'
    ? { status: 500, text: 'Internal Server Error\n', contentType: 'text/plain; charset=utf-8' }
    : answer
