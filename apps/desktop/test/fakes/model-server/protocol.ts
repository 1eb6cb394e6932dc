import type http from 'node:http'
import type { Script, Turn } from './answers'

/*
 * What a provider's API is to the model server: one object that reads its requests and writes the answers.
 */

/** One provider's endpoints. */
export interface Protocol {
  readonly accepts: (method: string, path: string) => boolean
  /** Null for a request that asks for no answer of the model. */
  readonly turnOf: (path: string, body: unknown) => Turn | null
  readonly reply: (exchange: Exchange) => Promise<void>
}

export interface Exchange {
  readonly body: unknown
  readonly turn: Turn | null
  readonly script: Script
  readonly response: http.ServerResponse
}

export function sendJson(
  response: http.ServerResponse,
  status: number,
  value: unknown,
  headers: http.OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}
