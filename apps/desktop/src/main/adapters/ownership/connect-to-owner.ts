import { createConnection, type Socket } from 'node:net'
import { err, ok, type Result } from '@shared/result'
import {
  answerSchema,
  createLineReader,
  longestLine,
  type ParsedLine,
  type SocketAnswer,
  type SocketRequest,
} from './socket-messages'

/** The connection was lost, or the owner could not answer; in the shape of the contract's common errors. */
export interface OwnerGoneError {
  readonly type: 'owner_gone'
  readonly message: string
}

export interface NoOwnerError {
  readonly type: 'no_owner'
  readonly message: string
}

export type HandOverAnswer = 'accepted' | 'done' | 'refused' | 'gone'

/** An engine in another process. */
export interface OwnerConnection {
  /** What the owner's dispatcher answers. Never rejects. */
  invoke(channel: string, input: unknown): Promise<Result<unknown, unknown>>
  /** Follows a stream until the returned function is called. Rejects when the owner refuses it or is gone. */
  subscribe(channel: string, key: unknown, listener: (event: unknown) => void): Promise<() => void>
  /** Asks the owner to hand the data over; `onAnswer` hears `accepted` and then `done`, or `refused`, or `gone`. */
  askHandOver(onAnswer: (answer: HandOverAnswer) => void): void
  /** Resolves once the connection is over, whoever ended it. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

type Pending = (answer: SocketAnswer | null) => void

/** Connects to the owner that listens at `path`. Error: nobody does, or not within `timeoutMs`. */
export async function connectToOwner(
  path: string,
  timeoutMs = 3000,
): Promise<Result<OwnerConnection, NoOwnerError>> {
  const socket = createConnection(path)
  const problem = await new Promise<Error | null>((resolve) => {
    const timer = setTimeout(() => resolve(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
    socket.once('connect', () => resolve(null))
    socket.on('error', resolve)
    socket.once('close', () => clearTimeout(timer))
    socket.once('connect', () => clearTimeout(timer))
  })
  if (problem === null) return ok(createConnectionClient(socket))
  socket.destroy()
  return err({ type: 'no_owner', message: `${path}: ${problem.message}` })
}

function createConnectionClient(socket: Socket): OwnerConnection {
  const pending = new Map<number, Pending>()
  let lastId = 0
  const read = createLineReader(longestLine, receive)
  socket.on('data', (chunk) => {
    if (!read(chunk)) socket.destroy()
  })
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      const waiting = [...pending.values()]
      pending.clear()
      for (const tell of waiting) tell(null)
      resolve()
    })
  })

  function receive(line: ParsedLine): void {
    const answer = line.type === 'parsed' ? answerSchema.safeParse(line.json) : null
    if (answer?.success) pending.get(answer.data.id)?.(answer.data)
    else socket.destroy()
  }

  function ask(request: WithoutId<SocketRequest>, onAnswer: Pending): number {
    const id = ++lastId
    if (socket.destroyed) {
      queueMicrotask(() => onAnswer(null))
      return id
    }
    pending.set(id, onAnswer)
    socket.write(`${JSON.stringify({ ...request, id })}\n`)
    return id
  }

  return {
    invoke: (channel, input) =>
      new Promise((resolve) => {
        const id = ask({ channel, input }, (answer) => {
          pending.delete(id)
          resolve(toResult(answer))
        })
      }),
    subscribe: (channel, key, listener) =>
      new Promise((resolve, reject) => {
        const id = ask({ subscribe: channel, key }, (answer) => {
          if (answer !== null && 'event' in answer) listener(answer.event)
          else if (answer !== null && 'subscribed' in answer) resolve(end)
          else {
            pending.delete(id)
            reject(new Error(gone(answer).message))
          }
        })
        const end = (): void => {
          if (!pending.delete(id) || socket.destroyed) return
          socket.write(`${JSON.stringify({ id, unsubscribe: true })}\n`)
        }
      }),
    askHandOver: (onAnswer) => {
      ask({ handOver: true }, (answer) => {
        onAnswer(answer !== null && 'handOver' in answer ? answer.handOver : 'gone')
      })
    },
    closed,
    close: async () => {
      socket.end()
      socket.destroy()
      await closed
    },
  }
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

function toResult(answer: SocketAnswer | null): Result<unknown, unknown> {
  // The owner's dispatcher answers in results.
  if (answer !== null && 'result' in answer) return answer.result as Result<unknown, unknown>
  return err(gone(answer))
}

const gone = (answer: SocketAnswer | null): OwnerGoneError => ({
  type: 'owner_gone',
  message:
    answer !== null && 'error' in answer ? answer.error.message : 'the connection to the engine was lost',
})
