/** Why a command did not do what was asked; the message is for people. */
export type CommandFailure =
  | { readonly type: 'usage'; readonly message: string }
  | { readonly type: 'failed'; readonly message: string }

/** Exit codes of `alfred`. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const

/** Errors of the contract in words; all of them have a type, and most a message. */
export function describeError(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('type' in error)) return String(error)
  const known = error as Readonly<Record<string, unknown>> & { readonly type: unknown }
  switch (known.type) {
    case 'not_found':
      return `There is no ${text(known['what'])}.`
    case 'already_running':
      return `Run ${text(known['runId'])} of this issue has not ended yet.`
    case 'not_live':
      return 'The run has ended already.'
    case 'unexpected':
      return `Something went wrong that should not have. The log has it under ${text(known['incidentId'])}.`
    case 'memory_removed':
      return `The memory was removed at cleanup on ${new Date(Number(known['at'])).toLocaleDateString('en-GB')}.`
    case 'running':
      return `Run ${text(known['runId'])} of this issue has not ended yet. Stop it first.`
    case 'nothing_to_validate':
      return 'No plan of this issue waits for validation.'
    case 'nothing_to_push':
      return 'What waits for you is no longer what was shown: look at it again.'
    case 'consent_needed':
      return 'message' in known
        ? `${text(known['message'])} Add --yes to give it.`
        : 'Running on this computer without a container needs your consent: add --yes.'
    case 'demo_running':
      return 'The demo is running. Stop its runs first.'
    case 'build_failed':
      return `The agent image could not be built (${text(known['step'])}): ${text(known['message'])}`
    default:
      return typeof known['message'] === 'string' && known['message'] !== ''
        ? known['message']
        : text(known.type).replaceAll('_', ' ')
  }
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '?'
