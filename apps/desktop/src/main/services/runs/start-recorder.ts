import type { AgentAdapter, AgentEvent, EndedStart } from '../../ports/agent-adapter'
import type { Clock } from '../../ports/clock'
import type { SessionPatch, Store } from '../../ports/stores'
import type { StreamFile, StreamItem } from '../../ports/stream-files'
import type { Redact } from '../../core/redact/redact'
import { hasEscapes, redactEvent, redactGroup } from './redacted-line'
import { proveResume, type ProofState, type SessionProof } from '../../core/session/prove-resume'
import { isUsableSessionId } from '../../core/session/session-id'
import { neutraliseControls } from '../../core/stream/control-sequences'
import { createLineSplitter, type LineGroup, type StreamLine } from '../../core/stream/line-splitter'
import { createTextTail } from '../../core/stream/text-tail'
import type { RunId, SessionId, StartId } from '@shared/model/ids'
import type { UsedFigures } from '@shared/model/records'
import type { ResumeFailure } from '@shared/model/words'
import { createEventWriter, type Burst, type WrittenWith } from './event-writer'
import { createPartialText } from './partial-text'
import type { RunEventFeed } from './run-event-feed'
import { toTranscriptEvents, type NewRunEvent } from './transcript-events'
import { usageOfRun } from './usage-of-run'

/*
 * Turns the bytes of one start of the CLI into stored events: bytes -> lines -> redacted -> parsed -> one transaction
 * with the position behind them. After a restart the file is read again from its beginning, so that parser, proof and
 * tails are as they were, but what was stored already is not stored again.
 */

export type StreamName = 'stdout' | 'stderr'

/** So much at once is printed faster than a row for each event could be stored. */
const burst = { bytes: 65_536, events: 8 } as const
/** While more is there to be read, so much is stored at once: a transaction costs as much as a hundred events. */
const batch = { bytes: 2_000_000, events: 2_000 } as const

/** A reader needs no more often to hear what is being written. */
const partialPauseMs = 100
/** The text has come, or will not come any more. */
const endsPartial: readonly AgentEvent['kind'][] = ['text', 'result', 'error', 'retry']

export interface StartRecorderParts {
  readonly store: Store
  readonly clock: Clock
  readonly redact: Redact
  readonly feed: RunEventFeed
  readonly runId: RunId
  readonly startId: StartId
  /** Of the start in its attempt: what it uses is its own, whatever starts the row has beside it. */
  readonly startNumber: number
  readonly sessionId: SessionId
  readonly adapter: AgentAdapter
  readonly proof: ProofState
  /** Bytes of each stream that are stored already. */
  readonly storedUpTo: Readonly<Record<StreamName, number>>
  /** The CLI works in another thread than the one asked for. */
  readonly onProofFailed: (reason: ResumeFailure) => void
  /** The session row says something new that people look at: its id, its proof, its figures. */
  readonly onSessionTold: () => void
}

export interface StartRecorder {
  /** Settles when the next one may come. Rejects when something could not be stored; then nothing is any more. */
  take(stream: StreamName, file: StreamFile, item: Extract<StreamItem, { type: 'chunk' }>): Promise<void>
  /** The writer is gone: the last lines, with or without their end. Settles when all is stored. */
  end(): Promise<void>
  /** Nothing is stored any more once it settles. Never rejects. */
  close(): Promise<void>
  /** What the classifiers need; `exitCode` comes from the container. */
  ended(exitCode: number | null): EndedStart
  readonly seenSession: () => string | null
  /** What the agent said last: its closing words, where it has such. */
  readonly lastText: () => string | null
  readonly hasEvents: () => boolean
  /** The agent has told how it went. */
  readonly hasResult: () => boolean
}

interface Tracked {
  readonly splitter: ReturnType<typeof createLineSplitter>
  readonly tail: ReturnType<typeof createTextTail>
  /** Bytes of whole lines so far. */
  consumed: number
  /** What is not stored yet. */
  held: Held
  file: Pick<StreamFile, 'device' | 'inode'> | null
}

interface Held extends Change {
  /** Not packed yet. */
  events: NewRunEvent[]
  /** Those before them, if there are so many. */
  burst: Burst | null
  /** Both together. */
  count: number
  /** Bytes of its lines. */
  bytes: number
  /** It says something of the session. */
  tells: boolean
}

const nothingHeld = (): Held => ({
  events: [],
  burst: null,
  count: 0,
  patch: {},
  used: {},
  bytes: 0,
  tells: false,
})

const tracked = (): Tracked => ({
  splitter: createLineSplitter(),
  tail: createTextTail(),
  consumed: 0,
  held: nothingHeld(),
  file: null,
})

export function createStartRecorder(parts: StartRecorderParts): StartRecorder {
  const { store, clock, redact, feed, runId, startId, startNumber, sessionId, adapter, storedUpTo } = parts
  const streams: Readonly<Record<StreamName, Tracked>> = { stdout: tracked(), stderr: tracked() }
  const writer = createEventWriter({ store, feed, runId })
  const parser = adapter.createParser()
  const partial = createPartialText(redact)
  let partialToldAt = 0
  let { proof } = parts
  let hasFailedProof = false
  let result: EndedStart['result'] = null
  let lastText: string | null = null
  let toolCalls = 0
  let hasEvents = false

  const agentEvents = (
    line: StreamLine,
    text: string,
    isStored: boolean,
    at: number,
    held: Held,
  ): readonly NewRunEvent[] => {
    if (line.droppedBytes > 0) return cutLine(line, text, 'stdout', at)
    const parsed = parser.parse(text)
    const [only] = parsed
    if (parsed.length === 1 && only !== undefined) return eventsOf(only, text, isStored, at, held)
    return parsed.flatMap((one) => eventsOf(one, text, isStored, at, held))
  }

  const eventsOf = (
    parsed: AgentEvent,
    line: string,
    isStored: boolean,
    at: number,
    held: Held,
  ): readonly NewRunEvent[] => {
    if (parsed.kind === 'partial') {
      // Also of what was told before a restart: the rest of a secret would be none by itself.
      partial.add(parsed.text)
      return []
    }
    if (endsPartial.includes(parsed.kind)) partial.clear()
    const event = ofRun(hasEscapes(line) ? redactEvent(parsed, redact) : parsed)
    const noted = noteEvent(event)
    const told = noted.proof
    if (event.kind === 'session' && told === null && !proof.isOff) return sessionAgain(event.nativeId)
    if (!isStored && noted !== nothingTold) noteChange(held, noted)
    const made = toTranscriptEvents(event, at)
    return told === null ? made : made.map((one) => ({ ...one, payload: { ...one.payload, proof: told } }))
  }

  const ofRun = (event: AgentEvent): AgentEvent => {
    const { seen } = proof
    if (event.kind !== 'usage' || seen === null) return event
    return usageOfRun(event, () =>
      store.sessions.usedEarlier(store.sessions.get(sessionId), seen, startNumber),
    )
  }

  /** A session event that proves nothing: the id that is known already, or one that cannot be one. */
  const sessionAgain = (nativeId: string): readonly NewRunEvent[] => {
    if (isUsableSessionId(nativeId, proof.pattern)) return []
    const shown = neutraliseControls(nativeId).slice(0, 60)
    const text = `The agent gave “${shown}” as the id of its session. That is no session id, so it is not used.`
    return [{ at: clock.now(), kind: 'warning', payload: { text } }]
  }

  /** Keeps what later decisions need of an event, and says what it changes in the session row. */
  const noteEvent = (event: AgentEvent): Change & { proof: SessionProof | null } => {
    if (event.kind === 'text') lastText = event.text
    if (event.kind === 'result') result = { succeeded: event.succeeded, text: event.text }
    if (event.kind === 'tool') return { proof: null, patch: {}, used: { toolCalls: (toolCalls += 1) } }
    if (event.kind === 'usage') return { ...nothingTold, ...figuresOf(event, hasFailedProof) }
    if (event.kind !== 'session') return nothingTold
    const step = proveResume(proof, event)
    proof = step.state
    if (step.stop !== null && !hasFailedProof) {
      hasFailedProof = true
      parts.onProofFailed(step.stop)
    }
    return { proof: step.proof, patch: step.patch, used: {} }
  }

  const errorEvents = (line: StreamLine, text: string, at: number): readonly NewRunEvent[] => {
    if (line.droppedBytes > 0) return cutLine(line, text, 'stderr', at)
    return text === '' ? [] : [{ at, kind: 'output', payload: { text, stream: 'stderr' } }]
  }

  const takeLines = (stream: StreamName, group: LineGroup): void => {
    const { lines } = group
    const track = streams[stream]
    const { held } = track
    const texts = redactGroup(group, redact)
    track.tail.addAll(texts)
    const at = clock.now()
    for (const [index, line] of lines.entries()) {
      const text = texts[index] ?? ''
      track.consumed += line.streamBytes
      const isStored = track.consumed <= storedUpTo[stream]
      const made =
        stream === 'stdout' ? agentEvents(line, text, isStored, at, held) : errorEvents(line, text, at)
      if (made.length > 0) hasEvents = true
      if (isStored) continue
      for (const one of made) {
        held.events.push(one)
        if (one.kind === 'session' || one.kind === 'usage') held.tells = true
      }
      held.count += made.length
      held.bytes += line.streamBytes
    }
  }

  /** Of much at once nothing waits as it is: what lives that long is moved about in memory again and again. */
  const packBurst = (held: Held): void => {
    if (held.bytes < burst.bytes || held.count < burst.events) return
    held.burst ??= writer.beginBurst()
    held.burst.add(held.events)
    held.events = []
  }

  const storeHeld = async (stream: StreamName): Promise<void> => {
    const { held, file, consumed } = streams[stream]
    const { seen } = proof
    if (held.bytes === 0) return
    packBurst(held)
    streams[stream].held = nothingHeld()
    const belonging: WrittenWith = {
      inTransaction() {
        writeSession(held, seen, stream === 'stdout' && held.count > 0)
        if (file) store.runs.setStreamPosition(startId, stream, { ...file, offset: consumed })
      },
      onStored() {
        if (held.tells) parts.onSessionTold()
      },
    }
    if (held.burst === null) await writer.write(held.events, 'rows', belonging)
    else await writer.writeBurst(held.burst, belonging)
  }

  const writeSession = ({ patch, used }: Change, seen: string | null, hasNewEvents: boolean): void => {
    const isFirst = hasNewEvents && store.sessions.get(sessionId).firstEventAt === null
    const whole = isFirst ? { ...patch, firstEventAt: clock.now() } : patch
    if (Object.keys(whole).length > 0) store.sessions.update(sessionId, whole)
    const use = { start: startNumber, nativeSessionId: seen, ...used }
    if (Object.keys(used).length > 0) store.sessions.noteUsed(sessionId, use, clock.now())
  }

  const tellPartial = (): void => {
    if (streams.stdout.consumed <= storedUpTo.stdout) return
    if (!feed.hasListeners(runId) || clock.now() - partialToldAt < partialPauseMs) return
    const words = partial.news()
    if (words === null) return
    partialToldAt = clock.now()
    feed.publishPartial(runId, words)
  }

  return {
    async take(stream, file, item) {
      const track = streams[stream]
      track.file = { device: file.device, inode: file.inode }
      for (const group of track.splitter.pushGrouped(item.bytes)) takeLines(stream, group)
      const { held } = track
      if (item.isFollowed) packBurst(held)
      if (!item.isFollowed || held.bytes >= batch.bytes || held.count >= batch.events) await storeHeld(stream)
      if (!item.isFollowed) await writer.done()
      tellPartial()
    },
    async end() {
      for (const stream of ['stdout', 'stderr'] as const) {
        takeLines(stream, { lines: streams[stream].splitter.end(), whole: null })
        await storeHeld(stream)
      }
      await writer.done()
    },
    close: () => writer.close(),
    ended: (exitCode) => ({
      exitCode,
      stdoutTail: streams.stdout.tail.text(),
      stderrTail: streams.stderr.tail.text(),
      sawSession: proof.seen,
      result,
    }),
    seenSession: () => proof.seen,
    lastText: () => (result !== null && result.text.trim() !== '' ? result.text : lastText),
    hasEvents: () => hasEvents,
    hasResult: () => result !== null,
  }
}

/** What an event changes in the session's row: what it says, and what this start used so far. */
interface Change {
  readonly patch: SessionPatch
  readonly used: Partial<UsedFigures>
}

/** Nearly every event: this very one is asked for. */
const nothingTold = { proof: null, patch: {}, used: {} }

/** What is told later counts. */
function noteChange(held: Change, { patch, used }: Change): void {
  Object.assign(held.patch, patch)
  Object.assign(held.used, used)
}

function cutLine(line: StreamLine, text: string, stream: StreamName, at: number): readonly NewRunEvent[] {
  return [
    { at, kind: 'output', payload: { text, stream } },
    {
      at,
      kind: 'cut',
      payload: { bytes: line.streamBytes, keptBytes: line.streamBytes - line.droppedBytes, stream },
    },
  ]
}

/**
 * Only figures that the CLI told: an unknown one never overwrites a known one. What a thread that nobody asked for uses
 * is paid for like all else, but its context is not that of the session that follows it.
 */
function figuresOf(event: Extract<AgentEvent, { kind: 'usage' }>, isForeign: boolean): Change {
  const { inputTokens, cachedTokens, outputTokens, costUsd, contextUsed, contextMax, turns } = event
  const used = known({ inputTokens, cachedTokens, outputTokens, costUsd, turns })
  return { patch: isForeign ? {} : known({ contextUsed, contextMax }), used }
}

const known = <T extends object>(figures: T): Partial<T> =>
  Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== null)) as Partial<T>
