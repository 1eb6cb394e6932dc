import type { z } from 'zod'
import { stackOf } from '@shared/defect'
import { issueWords } from '@shared/input-words'
import { err, ok, type Result } from '@shared/result'
import type {
  CommandEntry,
  CommonError,
  Contract,
  ContractEntry,
  EventOf,
  OutputOf,
  QueryEntry,
  StreamEntry,
} from '@shared/contract/define'
import type { Logger } from '../ports/logger'
import { storageFailureOf, storageWords } from '../ports/storage-failure'

/*
 * One dispatcher for both transports: the window's IPC and `engine.sock`. It parses what comes in, calls the
 * handler, and turns defects into an incident that is logged under the id that the client sees.
 */

/** What a handler may answer: its own errors, or that the thing asked for is not there. */
export type HandlerError<E> =
  | (E extends CommandEntry<z.ZodType, z.ZodType, infer X> ? z.infer<X> : never)
  | Extract<CommonError, { type: 'not_found' | 'invalid_input' }>

type MaybePromise<T> = T | Promise<T>

export type HandlerOf<E> =
  E extends StreamEntry<infer K, z.ZodType>
    ? (key: z.infer<K>, emit: (event: EventOf<E>) => void) => () => void
    : E extends QueryEntry<infer I> | CommandEntry<infer I>
      ? (input: z.infer<I>) => MaybePromise<Result<OutputOf<E>, HandlerError<E>>>
      : never

export type HandlersOf<C> = { readonly [K in keyof C]: HandlerOf<C[K]> }
export type EngineHandlers<C extends Readonly<Record<string, Contract>>> = {
  readonly [D in keyof C]: HandlersOf<C[D]>
}

export interface Dispatch {
  /** Answers a query or a command; never rejects. */
  invoke(channel: string, input: unknown): Promise<Result<unknown, unknown>>
  /** Follows a stream until the returned function is called. */
  subscribe(
    channel: string,
    key: unknown,
    listener: (event: unknown) => void,
  ): Result<() => void, CommonError>
  readonly channels: readonly string[]
}

export interface DispatchOptions {
  readonly logger: Logger
  readonly newIncidentId: () => string
  /** Parses outputs and events too; on in development and tests. */
  readonly checkOutput: boolean
}

interface Route {
  readonly entry: ContractEntry
  readonly handler: (...args: readonly unknown[]) => unknown
}

export function createDispatch<C extends Readonly<Record<string, Contract>>>(
  contract: C,
  handlers: EngineHandlers<C>,
  options: DispatchOptions,
): Dispatch {
  const routes = routesOf(contract, handlers)
  return {
    channels: [...routes.keys()],
    invoke: (channel, input) => invoke(routes, options, channel, input),
    subscribe: (channel, key, listener) => subscribe(routes, options, channel, key, listener),
  }
}

function routesOf<C extends Readonly<Record<string, Contract>>>(
  contract: C,
  handlers: EngineHandlers<C>,
): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>()
  for (const [domain, entries] of Object.entries(contract)) {
    // The types above pair each handler with its entry; by name alone that link is lost.
    const ofDomain = handlers[domain] as Readonly<Record<string, Route['handler']>>
    for (const [name, entry] of Object.entries(entries)) {
      const handler = ofDomain[name]
      if (!handler) throw new Error(`no handler for ${domain}.${name}`)
      routes.set(`${domain}.${name}`, { entry, handler })
    }
  }
  return routes
}

async function invoke(
  routes: ReadonlyMap<string, Route>,
  options: DispatchOptions,
  channel: string,
  input: unknown,
): Promise<Result<unknown, unknown>> {
  const route = routes.get(channel)
  if (!route || route.entry.kind === 'stream') return err(notFound(channel))
  const parsed = route.entry.input.safeParse(input)
  if (!parsed.success) return err(invalidInput(parsed.error))
  try {
    const answer = (await route.handler(parsed.data)) as Result<unknown, unknown>
    if (!answer.ok || !options.checkOutput) return answer
    return ok(route.entry.output.parse(answer.value))
  } catch (defect) {
    return err(incident(options, channel, defect))
  }
}

function subscribe(
  routes: ReadonlyMap<string, Route>,
  options: DispatchOptions,
  channel: string,
  key: unknown,
  listener: (event: unknown) => void,
): Result<() => void, CommonError> {
  const route = routes.get(channel)
  if (route?.entry.kind !== 'stream') return err(notFound(channel))
  const { entry } = route
  const parsed = entry.key.safeParse(key)
  if (!parsed.success) return err(invalidInput(parsed.error))
  const emit = (event: unknown): void => listener(options.checkOutput ? entry.event.parse(event) : event)
  try {
    return ok(route.handler(parsed.data, emit) as () => void)
  } catch (defect) {
    return err(incident(options, channel, defect))
  }
}

const notFound = (channel: string): CommonError => ({ type: 'not_found', what: `channel ${channel}` })

const invalidInput = (error: z.ZodError): CommonError => ({
  type: 'invalid_input',
  message: `${error.issues.map((issue) => `${issue.path.join('.') || 'input'} ${issueWords(issue)}`).join('; ')}.`,
})

function incident(options: DispatchOptions, channel: string, defect: unknown): CommonError {
  const storage = storageFailureOf(defect)
  if (storage !== null) return { type: 'storage_failed', message: storageWords(storage) }
  const incidentId = options.newIncidentId()
  options.logger.error(`a handler failed: ${stackOf(defect)}`, { channel, incidentId })
  return { type: 'unexpected', incidentId }
}
