import { err, ok, type Result } from '@shared/result'
import type { TerminalEvent } from '@shared/contract/terminals'
import type { RunId } from '@shared/model/ids'
import type { AdapterId } from '@shared/model/words'
import type { Clock } from '../../ports/clock'
import type {
  ContainerError,
  ContainerRuntime,
  ContainerTerminal,
  TerminalSize,
} from '../../ports/container-runtime'
import type { Logger } from '../../ports/logger'
import type { Randomness } from '../../ports/randomness'
import { aside } from '../aside'
import { createTerminalWatchers, type TerminalWatchers } from './terminal-watchers'

/*
 * Between the terminals of containers and the clients that show them: of each terminal one client at a time, beside
 * those who watch. It reads always, so that a program that nobody looks at goes on; but no faster than the client that
 * has it.
 */

/** Whose terminal it is: that of a run, or of a person who signs an agent in. */
export type TerminalKey = RunId | `sign-in ${AdapterId}`

export interface TerminalHub {
  /** Somebody asked for the terminal of this run and is about to come. */
  expect(key: TerminalKey): void
  /** Whether anybody waits for it: one that nobody waits for is not begun. */
  isAwaited(key: TerminalKey): boolean
  /** Takes hold of the container's terminal, and takes hold again whenever the connection breaks. */
  hold(key: TerminalKey, container: HeldContainer): Promise<Result<void, ContainerError>>
  /** The container runs now: it is told how large its client is. */
  started(key: TerminalKey): void
  attach(key: TerminalKey, client: TerminalClient): () => void
  /** Shows it to one who neither types nor sizes it, beside who has it. */
  watch(key: TerminalKey, listener: (event: TerminalEvent) => void): () => void
  /** null: this client does not have the terminal (any more); false: the container leaves too much unread. */
  type(attachmentId: string, bytes: Uint8Array): boolean | null
  resize(attachmentId: string, size: TerminalSize): boolean
  taken(attachmentId: string, bytes: number): boolean
  /** Settles once all that was shown until the container's end, or the connection's, is on the way to who looks. */
  shown(key: TerminalKey): Promise<void>
  /** The run is over: whoever looks at it is told. */
  end(key: TerminalKey): void
  /** Lets go of all of them, which go on. */
  close(): void
}

export interface HeldContainer {
  readonly runtime: ContainerRuntime
  readonly id: string
  /** It runs already: what it has shown so far is lost, and it must paint anew. */
  readonly isRunning: boolean
}

export interface TerminalClient {
  readonly who: string
  readonly size: TerminalSize
  readonly takesOver: boolean
  readonly listener: (event: TerminalEvent) => void
}

interface Attachment {
  readonly id: string
  readonly who: string
  readonly since: number
  readonly listener: (event: TerminalEvent) => void
  /** Bytes that are on the way to the client's screen. */
  unread: number
}

interface Seat {
  readonly over: AbortController
  readonly watchers: TerminalWatchers
  holder: Attachment | null
  /** As who had it last wanted it; null: nobody had it yet. */
  size: TerminalSize | null
  held: {
    terminal: ContainerTerminal
    readonly runtime: ContainerRuntime
    readonly containerId: string
  } | null
  /** What nobody has seen yet; null: somebody has, and the program paints anew when it is asked to. */
  early: Uint8Array[] | null
  expectedUntil: number
  /** Called when there may be room again on the way to the client. */
  wake: () => void
  /** Of the connection that there was first. */
  readonly shown: Promise<void>
  readonly tellShown: () => void
}

interface Parts {
  readonly clock: Clock
  readonly randomness: Randomness
  readonly logger: Pick<Logger, 'error'>
}

/** A client that was told of the terminal comes within this time. */
const comesWithinMs = 30_000
const mostUnread = 1_000_000
/** Of what came before anybody looked, the end. */
const mostEarly = 1_000_000
const holdAgainMs = 500

export function createTerminalHub({ clock, randomness, logger }: Parts): TerminalHub {
  const seats = new Map<TerminalKey, Seat>()
  let isClosed = false

  const seatOf = (key: TerminalKey): Seat => {
    const present = seats.get(key)
    if (present !== undefined) return present
    let tellShown = (): void => undefined
    const shown = new Promise<void>((resolve) => (tellShown = resolve))
    const seat: Seat = {
      over: new AbortController(),
      watchers: createTerminalWatchers({ randomness, paint: () => repaint(seat) }),
      holder: null,
      size: null,
      held: null,
      early: [],
      expectedUntil: 0,
      wake: () => undefined,
      shown,
      tellShown: () => tellShown(),
    }
    seats.set(key, seat)
    return seat
  }

  const heldBy = (attachmentId: string): { readonly seat: Seat; readonly holder: Attachment } | null => {
    for (const seat of seats.values()) {
      const { holder } = seat
      if (holder?.id === attachmentId) return { seat, holder }
    }
    return null
  }

  const show = (seat: Seat, holder: Attachment, bytes: Uint8Array): void => {
    seat.early = null
    holder.unread += bytes.length
    holder.listener({ type: 'shown', bytes: Buffer.from(bytes).toString('base64') })
  }

  const pump = async (seat: Seat): Promise<void> => {
    const isOver = (): boolean => seat.over.signal.aborted
    while (!isOver() && seat.held !== null) {
      for await (const bytes of seat.held.terminal.output) {
        const { holder } = seat
        seat.watchers.show(bytes)
        if (holder === null) keepEarly(seat, bytes)
        else show(seat, holder, bytes)
        while (holder !== null && seat.holder === holder && holder.unread > mostUnread && !isOver())
          await new Promise<void>((resolve) => (seat.wake = resolve))
        if (isOver()) return
      }
      // The container has ended, which its run is about to tell; or the connection broke.
      seat.tellShown()
      await clock.sleep(holdAgainMs, seat.over.signal)
      if (isOver()) return
      const { runtime, containerId } = seat.held
      const again = await runtime.attach(containerId)
      if (!again.ok) continue
      if (isOver()) return again.value.close()
      seat.held.terminal = again.value
      seat.watchers.missed()
      repaint(seat)
    }
  }

  const applySize = (seat: Seat, size: TerminalSize | null): Promise<unknown> =>
    // One that does not run yet, or no more, has no size: it is told at its start.
    seat.held === null || size === null
      ? Promise.resolve()
      : seat.held.runtime.resize(seat.held.containerId, size)

  const tellWatchers = ({ watchers, holder, size }: Seat): void =>
    watchers.tell({ who: holder?.who ?? null, size })

  /** A program that fills the screen paints it when its size changes, and only then. */
  const repaint = (seat: Seat): void => {
    if (seat.size === null) return
    const { columns, rows } = seat.size
    const painting = applySize(seat, { columns, rows: rows > 1 ? rows - 1 : 2 }).then(() =>
      // it may have been given another one meanwhile
      applySize(seat, seat.size),
    )
    aside(logger, 'painting a terminal anew', painting)
  }

  const letGo = (key: TerminalKey): void => {
    const seat = seats.get(key)
    if (seat === undefined) return
    seats.delete(key)
    seat.over.abort()
    seat.tellShown()
    seat.held?.terminal.close()
    seat.wake()
  }

  return {
    expect(key) {
      seatOf(key).expectedUntil = clock.monotonic() + comesWithinMs
    },
    isAwaited(key) {
      const seat = seats.get(key)
      return seat !== undefined && (seat.holder !== null || seat.expectedUntil > clock.monotonic())
    },
    async hold(key, { runtime, id: containerId, isRunning }) {
      if (isClosed) return err(letGoMeanwhile)
      const seat = seatOf(key)
      if (seat.held !== null) return ok(undefined)
      if (isRunning) {
        seat.early = null
        seat.watchers.missed()
      }
      const attached = await runtime.attach(containerId)
      if (!attached.ok) return attached
      // It was let go of meanwhile, and a connection that nobody reads would keep this process.
      if (isClosed || seat.over.signal.aborted) {
        attached.value.close()
        return err(letGoMeanwhile)
      }
      seat.held = { terminal: attached.value, runtime, containerId }
      aside(logger, 'showing a terminal', pump(seat))
      if (isRunning) repaint(seat)
      return ok(undefined)
    },
    started(key) {
      const seat = seats.get(key)
      if (seat?.holder) aside(logger, 'sizing a terminal', applySize(seat, seat.size))
    },
    attach(key, { who, size, takesOver, listener }) {
      const seat = seatOf(key)
      const before = seat.holder
      if (before !== null && !takesOver) {
        listener({ type: 'held', who: before.who, since: before.since })
        return () => undefined
      }
      before?.listener({ type: 'taken_over', who })
      const attachment = { id: randomness.uuidV4(), who, since: clock.now(), listener, unread: 0 }
      seat.holder = attachment
      seat.size = size
      seat.expectedUntil = 0
      seat.wake()
      listener({ type: 'attached', attachmentId: attachment.id })
      tellWatchers(seat)
      if (seat.early === null) repaint(seat)
      else {
        for (const bytes of seat.early) show(seat, attachment, bytes)
        aside(logger, 'sizing a terminal', applySize(seat, size))
      }
      return () => {
        if (seat.holder !== attachment) return
        seat.holder = null
        seat.wake()
        tellWatchers(seat)
      }
    },
    watch: (key, listener) => seatOf(key).watchers.add(listener),
    type(attachmentId, bytes) {
      const found = heldBy(attachmentId)
      return found === null ? null : (found.seat.held?.terminal.write(bytes) ?? false)
    },
    resize(attachmentId, size) {
      const found = heldBy(attachmentId)
      if (found === null) return false
      found.seat.size = size
      tellWatchers(found.seat)
      aside(logger, 'sizing a terminal', applySize(found.seat, size))
      return true
    },
    taken(attachmentId, bytes) {
      const found = heldBy(attachmentId)
      if (found === null)
        return [...seats.values()].some(({ watchers }) => watchers.taken(attachmentId, bytes))
      found.holder.unread = Math.max(0, found.holder.unread - bytes)
      found.seat.wake()
      return true
    },
    shown: (key) => seats.get(key)?.shown ?? Promise.resolve(),
    end(key) {
      const seat = seats.get(key)
      letGo(key)
      seat?.holder?.listener({ type: 'ended' })
      seat?.watchers.end()
    },
    close() {
      isClosed = true
      for (const key of seats.keys()) letGo(key)
    },
  }
}

const letGoMeanwhile: ContainerError = {
  type: 'aborted',
  message: 'The terminal was let go of before it was held.',
  retryable: false,
}

function keepEarly(seat: Seat, bytes: Uint8Array): void {
  if (seat.early === null) return
  seat.early.push(bytes)
  let kept = seat.early.reduce((sum, { length }) => sum + length, 0)
  while (kept > mostEarly) kept -= seat.early.shift()?.length ?? kept
}
