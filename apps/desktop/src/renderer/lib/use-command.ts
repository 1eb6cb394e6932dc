import { useCallback, useState } from 'react'
import {
  engine,
  type CommandChannel,
  type CommandError,
  type CommandInput,
  type CommandResult,
} from './engine-client'

export interface Command<C extends CommandChannel> {
  readonly run: (input: CommandInput<C>) => Promise<CommandResult<C>>
  readonly isBusy: boolean
  /** Why the last try did not work; null while one runs and after one that worked. */
  readonly error: CommandError<C> | null
  readonly clearError: () => void
}

/** Sends one kind of command; what it changes comes back through the queries. */
export function useCommand<C extends CommandChannel>(channel: C): Command<C> {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<CommandError<C> | null>(null)
  const run = useCallback(
    async (input: CommandInput<C>) => {
      setBusy(true)
      setError(null)
      const result = await engine.command(channel, input)
      setBusy(false)
      if (!result.ok) setError(result.error)
      return result
    },
    [channel],
  )
  return { run, isBusy, error, clearError: useCallback(() => setError(null), []) }
}
