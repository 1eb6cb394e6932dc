import type { EngineContract } from '@shared/contract/index'
import type { ErrorOf, EventOf, InputOf, KeyOf, OutputOf } from '@shared/contract/define'
import type { Result } from '@shared/result'

/** What any transport to an engine can do: `engine.sock`, or the engine in this very process. */
export interface EngineTransport {
  invoke(channel: string, input: unknown): Promise<Result<unknown, unknown>>
  subscribe(channel: string, key: unknown, listener: (event: unknown) => void): Promise<() => void>
  close(): Promise<void>
  /** Resolves when the engine is gone; without it that is told by what is asked next. */
  readonly closed?: Promise<void>
  /** The engine is in this very process, so that a secret given to it crosses nothing. */
  readonly isOwnProcess?: boolean
}

/** The same, with the types of the contract. */
export interface EngineClient {
  /** Whether a secret may be given to it. */
  readonly takesSecrets: boolean
  /** Resolves when the engine is gone, while nothing is asked of it. */
  readonly closed: Promise<void>
  call<D extends keyof EngineContract, N extends keyof EngineContract[D] & string>(
    domain: D,
    name: N,
    input: InputOf<EngineContract[D][N]>,
  ): Promise<Result<OutputOf<EngineContract[D][N]>, ErrorOf<EngineContract[D][N]>>>
  follow<D extends keyof EngineContract, N extends keyof EngineContract[D] & string>(
    domain: D,
    name: N,
    key: KeyOf<EngineContract[D][N]>,
    listener: (event: EventOf<EngineContract[D][N]>) => void,
  ): Promise<() => void>
}

export function createEngineClient(transport: EngineTransport): EngineClient {
  return {
    takesSecrets: transport.isOwnProcess === true,
    closed: transport.closed ?? new Promise(() => undefined),
    // Both ends are made from the one contract, and the engine parses what it is sent.
    call: (domain, name, input) => transport.invoke(`${domain}.${name}`, input) as never,
    follow: (domain, name, key, listener) =>
      transport.subscribe(`${domain}.${name}`, key, listener as (event: unknown) => void),
  }
}
