/** Why a run could not be asked for, repeated or stopped. */
export const runErrorText = (error: {
  readonly type: string
  readonly message?: string
  readonly runId?: number
}): string => {
  switch (error.type) {
    case 'already_running':
      return `Run ${error.runId ?? ''} of this issue is live. Stop it first, or wait for its end.`
    case 'not_live':
      return 'The run had ended already.'
    case 'not_retryable':
    case 'no_agent':
      return error.message ?? 'This run cannot be repeated.'
    case 'memory_removed':
      return 'The memory was removed at cleanup. Start fresh instead.'
    case 'owner_gone':
      return 'The engine does not answer.'
    default:
      return error.message ?? 'It did not work. Diagnostics has the details.'
  }
}
