// One call of a model's API: bounded in time, repeated where a provider asks for patience.

/** How long an answer may take. */
const callMs = Number(process.env.API_AGENT_CALL_MS ?? 240_000)
/** Waits before the repeats of a call; where the provider tells one, that. */
const waitsMs = (process.env.API_AGENT_WAITS_MS ?? '2000,10000').split(',').map(Number)
/** A longer wait is the run's own. */
const longestWaitMs = 60_000

/**
 * Facts of a call that brought no answer: `status` is null where nobody answered; `code` is the provider's own word, or
 * one of `unreachable`, `cut`, `no_answer`, `no_key`, `redirected` and what the agent says itself.
 */
export class CallFailure extends Error {
  constructor({ status = null, code, message, retryAfterMs = null, retryAt = null }) {
    super(message)
    this.facts = { message, status, code, retry_after_ms: retryAfterMs, retry_at: retryAt }
  }
}

/** `sleep(ms)`; `onRetry(message, waitMs)` is told before each wait. */
export async function askModel({ provider, key, baseUrl, request, onRetry, sleep }) {
  if (key === null && baseUrl === null)
    throw new CallFailure({ code: 'no_key', message: `There is no key: ${provider.keyName} is not set.` })
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await askOnce(provider, key, baseUrl, request)
    } catch (error) {
      const waitMs = error instanceof CallFailure ? waitBefore(error.facts, repeat) : null
      if (waitMs === null) throw error
      onRetry(error.message, waitMs)
      await sleep(waitMs)
    }
  }
}

/** null: not repeated here. */
function waitBefore({ status, code, retry_after_ms: told, retry_at: until }, repeat) {
  if (repeat >= waitsMs.length || until !== null || code === 'insufficient_quota') return null
  const mayPass =
    status === 408 || status === 429 || status >= 500 || code === 'unreachable' || code === 'cut'
  if (!mayPass || (told ?? 0) > longestWaitMs) return null
  return told ?? waitsMs[repeat]
}

async function askOnce(provider, key, baseUrl, request) {
  const { url, headers, body } = provider.toRequest({ key, baseUrl, ...request })
  let step = 'unreachable'
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      // A key must not follow to another server.
      redirect: 'manual',
      signal: AbortSignal.timeout(callMs),
    })
    step = 'cut'
    const text = await response.text()
    if (response.status >= 300 && response.status < 400) {
      throw new CallFailure({
        status: response.status,
        code: 'redirected',
        message:
          'The server sends to another address, which is not followed: name that one in AGENT_BASE_URL.',
      })
    }
    if (!response.ok) throw refusalOf(response, text)
    return provider.toAnswer(JSON.parse(text))
  } catch (error) {
    if (error instanceof CallFailure) throw error
    if (error.name === 'TimeoutError')
      throw new CallFailure({ code: 'no_answer', message: `No answer within ${callMs / 1000} seconds.` })
    throw new CallFailure({ code: step, message: brokenWords(step, url, error) })
  }
}

function brokenWords(step, url, error) {
  const why = error.cause?.code ?? error.cause?.message ?? error.message
  return step === 'unreachable'
    ? `${new URL(url).host} cannot be reached (${why}).`
    : `The answer of ${new URL(url).host} broke off or cannot be read (${why}).`
}

/** Both providers put an `error` with type, code and message into the body; others may answer anything. */
function refusalOf(response, text) {
  const { status, headers } = response
  const error = errorIn(text)
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const isUsedUp = headers.get('anthropic-ratelimit-unified-status') === 'rejected'
  const resetsAt = Number(headers.get('anthropic-ratelimit-unified-reset') ?? Number.NaN)
  return new CallFailure({
    status,
    code: String(error.code ?? error.type ?? 'unknown').slice(0, 100),
    message: `The provider answered ${status}: ${String(error.message ?? text).slice(0, 500)}`,
    retryAfterMs: Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null,
    retryAt: isUsedUp && Number.isFinite(resetsAt) ? resetsAt * 1000 : null,
  })
}

function errorIn(text) {
  try {
    const { error } = JSON.parse(text)
    return typeof error === 'object' && error !== null ? error : { message: error }
  } catch {
    return {}
  }
}
