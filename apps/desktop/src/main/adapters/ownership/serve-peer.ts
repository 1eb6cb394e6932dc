import type { Socket } from 'node:net'
import type { Result } from '@shared/result'
import {
  createLineReader,
  longestLine,
  type ParsedLine,
  requestSchema,
  type SocketAnswer,
} from './socket-messages'

/** What is served: the engine's dispatcher fits. */
export interface SocketCalls {
  invoke(channel: string, input: unknown): Promise<unknown>
  subscribe(channel: string, key: unknown, listener: (event: unknown) => void): Result<() => void, unknown>
}

/** What a headless owner does when a window asks for the data. The window itself has none, and refuses. */
export interface HandOverHooks {
  /**
   * Takes up nothing new, leaves containers running, closes the database. Once it resolves the asker is told;
   * then `afterHandOver` frees the lock and ends the process.
   */
  readonly onHandOver?: () => Promise<void>
  readonly afterHandOver?: () => void
}

/** Streams that one peer may follow at a time. */
const mostSubscriptions = 200
/** What may wait for a peer that reads slowly before it is given up. */
const mostWaiting = 2 * longestLine

/** Answers one peer until it goes. Nothing that it sends can do more than end its own connection. */
export function servePeer(socket: Socket, calls: SocketCalls, hooks: HandOverHooks): void {
  const subscriptions = new Map<number, () => void>()
  const read = createLineReader(longestLine, receive)

  // Its ending is told by 'close'; why is of no use here.
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    if (!read(chunk)) socket.destroy()
  })
  socket.on('close', () => {
    for (const end of subscriptions.values()) end()
    subscriptions.clear()
  })

  function send(answer: SocketAnswer): void {
    if (socket.destroyed || !socket.writable) return
    const line = encode(answer)
    if (socket.writableLength + line.length > mostWaiting) socket.destroy()
    else socket.write(line)
  }

  function receive(line: ParsedLine): void {
    const request = line.type === 'parsed' ? requestSchema.safeParse(line.json) : null
    if (!request?.success) {
      socket.destroy()
      return
    }
    const { data } = request
    if ('channel' in data) void invoke(data.id, data.channel, data.input)
    else if ('subscribe' in data) subscribe(data.id, data.subscribe, data.key)
    else if ('unsubscribe' in data) unsubscribe(data.id)
    else void handOver(data.id)
  }

  async function invoke(id: number, channel: string, input: unknown): Promise<void> {
    try {
      send({ id, result: (await calls.invoke(channel, input)) ?? null })
    } catch (error) {
      send({ id, error: { type: 'unexpected', message: messageOf(error) } })
    }
  }

  function subscribe(id: number, channel: string, key: unknown): void {
    if (subscriptions.has(id) || subscriptions.size >= mostSubscriptions) {
      send({ id, error: { type: 'invalid_input', message: 'too many subscriptions, or one id twice' } })
      return
    }
    try {
      // The first events may come before the call returns; the peer knows its id already.
      const started = calls.subscribe(channel, key, (event) => send({ id, event: event ?? null }))
      if (!started.ok) {
        send({ id, error: { type: 'refused', message: JSON.stringify(started.error) } })
        return
      }
      subscriptions.set(id, started.value)
      send({ id, subscribed: true })
    } catch (error) {
      send({ id, error: { type: 'unexpected', message: messageOf(error) } })
    }
  }

  function unsubscribe(id: number): void {
    subscriptions.get(id)?.()
    subscriptions.delete(id)
  }

  async function handOver(id: number): Promise<void> {
    if (hooks.onHandOver === undefined) {
      send({ id, handOver: 'refused' })
      return
    }
    send({ id, handOver: 'accepted' })
    try {
      await hooks.onHandOver()
    } catch (error) {
      send({ id, error: { type: 'unexpected', message: messageOf(error) } })
      return
    }
    socket.end(encode({ id, handOver: 'done' }), () => hooks.afterHandOver?.())
  }
}

function encode(answer: SocketAnswer): Buffer {
  const line = Buffer.from(`${JSON.stringify(answer)}\n`)
  if (line.length <= longestLine) return line
  const error = { type: 'too_large', message: `an answer of ${line.length} bytes is too long to be sent` }
  return Buffer.from(`${JSON.stringify({ id: answer.id, error })}\n`)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
