import type { RestoreReport } from '@shared/contract/restore'
import type { Result } from '@shared/result'
import type { PersonTerminal } from './attach/person-terminal'
import type { EngineClient } from './engine-client'
import type { CommandFailure } from './failures'
import type { Output } from './output'
import type { SpellOut } from './program-name'
import type { Arguments, CommandSpec } from './usage'

/** What an engine of our own must do, where nobody owns the data yet. */
export type EngineNeed =
  /** Answer from the database; take up no work. */
  | 'answers'
  /** Poll, queue and run. */
  | 'works'

export interface CommandContext {
  readonly client: EngineClient
  readonly args: Arguments
  readonly output: Output
  /** Advice among results, with `alfred` as this person types it. */
  readonly spell: SpellOut
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal
  /** Reads standard input to its end, for texts given as `-`. */
  readonly readInput: () => Promise<string>
  /** What the person sits at; null: a file or a pipe is there in its place. */
  readonly terminal: PersonTerminal | null
  /** The person has left by choice: a window that was opened for this command may close with it. */
  readonly onLeft: () => void
  /** Standard input line by line, as it comes. */
  readonly readLines: () => AsyncIterable<string>
  /** A variable of the environment of this command; null: not set, or empty. */
  readonly readVariable: (name: string) => string | null
}

/** The exit code, or why there is none. */
export type CommandResult = Result<number, CommandFailure>

export interface EngineCommand extends CommandSpec {
  readonly needs: EngineNeed
  run(context: CommandContext): Promise<CommandResult>
}

/** What can be done with the data where no engine can be made of it. */
export interface DataContext {
  readonly args: Arguments
  readonly output: Output
  /** null: the database is whole. */
  readonly restore: () => Promise<Result<RestoreReport | null, CommandFailure>>
}

export interface DataCommand extends CommandSpec {
  readonly needs: 'data'
  run(context: DataContext): Promise<CommandResult>
}

export type Command = EngineCommand | DataCommand
