import type http from 'node:http'
import type { Answer, FailureStatus } from './answers'
import { sendJson } from './protocol'

/*
 * How OpenAI's APIs refuse a request: the same words for each of them.
 */

export type Failure = Extract<Answer, { kind: 'status' | 'account_limit' | 'quota' | 'context_overflow' }>
/** An answer whose stream at least begins. */
export type Spoken = Exclude<Answer, Failure>

export const fails = (answer: Answer): answer is Failure =>
  answer.kind === 'status' ||
  answer.kind === 'account_limit' ||
  answer.kind === 'quota' ||
  answer.kind === 'context_overflow'

const documented: Readonly<Record<FailureStatus, readonly [type: string, code: string, message: string]>> = {
  400: ['invalid_request_error', 'invalid_value', 'The request is not valid.'],
  401: ['invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'],
  403: ['invalid_request_error', 'unsupported_country_region_territory', 'Not allowed here.'],
  404: [
    'invalid_request_error',
    'model_not_found',
    'The model `x` does not exist or you do not have access to it.',
  ],
  413: ['invalid_request_error', 'request_too_large', 'The request is too large.'],
  429: ['requests', 'rate_limit_exceeded', 'Rate limit reached for requests.'],
  500: ['server_error', 'server_error', 'The server had an error while processing your request.'],
  529: ['server_error', 'overloaded', 'The engine is currently overloaded.'],
}

export function sendFailure(response: http.ServerResponse, answer: Failure): void {
  const tell = (
    status: number,
    [type, code, message]: readonly [string, string, string],
    headers: http.OutgoingHttpHeaders = {},
  ): void => sendJson(response, status, { error: { message, type, code, param: null } }, headers)
  switch (answer.kind) {
    case 'status': {
      const { retryAfterSeconds } = answer
      return tell(
        answer.status,
        documented[answer.status],
        retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
      )
    }
    case 'account_limit':
      return tell(429, documented[429], {
        'retry-after': String(Math.max(1, answer.resetsAt - Math.floor(Date.now() / 1000))),
      })
    case 'quota':
      return tell(429, [
        'insufficient_quota',
        'insufficient_quota',
        'You exceeded your current quota, please check your plan and billing details.',
      ])
    case 'context_overflow':
      return tell(400, [
        'invalid_request_error',
        'context_length_exceeded',
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      ])
  }
}

/** What is said before a stream breaks. */
export const firstWords = 'The first words, and then '
