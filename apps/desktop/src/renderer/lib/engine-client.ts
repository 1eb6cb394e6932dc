import type { Channel } from '@shared/contract/channels'
import type { CommonError, ErrorOf, EventOf, InputOf, KeyOf, OutputOf } from '@shared/contract/define'
import type { EngineContract } from '@shared/contract'
import type { Result } from '@shared/result'
import { bridge } from './bridge'

/*
 * The contract as functions: the channel names the entry, the types follow from it.
 * Queries throw what went wrong (react-query holds it); commands hand their closed errors back as values.
 */

type Domain = keyof EngineContract

export type EntryOf<C extends string> = C extends `${infer D}.${infer N}`
  ? D extends Domain
    ? N extends keyof EngineContract[D]
      ? EngineContract[D][N]
      : never
    : never
  : never

type ChannelOfKind<K> = { [C in Channel]: EntryOf<C> extends { readonly kind: K } ? C : never }[Channel]
export type QueryChannel = ChannelOfKind<'query'>
export type CommandChannel = ChannelOfKind<'command'>
export type StreamChannel = ChannelOfKind<'stream'>

export type QueryInput<C extends QueryChannel> = InputOf<EntryOf<C>>
export type QueryOutput<C extends QueryChannel> = OutputOf<EntryOf<C>>
export type CommandInput<C extends CommandChannel> = InputOf<EntryOf<C>>
export type CommandOutput<C extends CommandChannel> = OutputOf<EntryOf<C>>
export type CommandError<C extends CommandChannel> = ErrorOf<EntryOf<C>>
export type CommandResult<C extends CommandChannel> = Result<CommandOutput<C>, CommandError<C>>

/** A query that the engine could not answer; `error` says why. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  constructor(
    readonly channel: string,
    readonly error: CommonError,
  ) {
    super(`${channel}: ${error.type}`)
  }
}

const noAnswer = (defect: unknown): CommonError => ({
  type: 'owner_gone',
  message: defect instanceof Error ? defect.message : String(defect),
})

async function ask(channel: string, input: unknown): Promise<Result<unknown, unknown>> {
  try {
    // the dispatcher on the other side answers nothing else, see main/ipc
    return (await bridge().invoke(channel, input)) as Result<unknown, unknown>
  } catch (defect) {
    return { ok: false, error: noAnswer(defect) }
  }
}

export const engine = {
  /** Throws an EngineError. */
  async query<C extends QueryChannel>(channel: C, input: QueryInput<C>): Promise<QueryOutput<C>> {
    const answer = await ask(channel, input)
    if (answer.ok) return answer.value as QueryOutput<C>
    throw new EngineError(channel, answer.error as CommonError)
  },

  /** Never rejects: what can go wrong is in the result. */
  async command<C extends CommandChannel>(channel: C, input: CommandInput<C>): Promise<CommandResult<C>> {
    return (await ask(channel, input)) as CommandResult<C>
  },

  /** Follows a stream until the returned function is called. */
  subscribe<C extends StreamChannel>(
    channel: C,
    key: KeyOf<EntryOf<C>>,
    listener: (event: EventOf<EntryOf<C>>) => void,
  ): () => void {
    return bridge().subscribe(channel, key, (event) => listener(event as EventOf<EntryOf<C>>))
  },
}
