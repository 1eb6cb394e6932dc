import { err } from '@shared/result'
import type { Dispatch } from './dispatch'

/**
 * The same without inputs that hold a token: none crosses `engine.sock`. Tokens come from the window, from the
 * environment, or from a command that is its own engine.
 */
export function refuseSecrets(dispatch: Dispatch): Dispatch {
  return {
    ...dispatch,
    invoke: (channel, input) =>
      holdsToken(input)
        ? Promise.resolve(
            err({
              type: 'invalid_input',
              message: 'No token crosses the socket of a running Alfred.',
            }),
          )
        : dispatch.invoke(channel, input),
  }
}

/** At any depth: entries may take a token beside other things. */
function holdsToken(input: unknown): boolean {
  if (typeof input !== 'object' || input === null) return false
  return Object.entries(input).some(
    ([key, value]) => (key === 'token' && value !== null) || holdsToken(value),
  )
}
