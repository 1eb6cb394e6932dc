import type { TranscriptEvent } from '@shared/contract/runs'
import { append, emptyTranscript, follows, prepend, type Transcript } from './transcript-rows'

/*
 * Reads a run's events: the last ones first, older ones on demand, new ones as they come. A hole in the numbers is
 * read again from the store, so that nothing is ever silently missing.
 */

export interface TranscriptSource {
  read(input: {
    readonly afterSeq: number | null
    readonly beforeSeq: number | null
    readonly limit: number
  }): Promise<{ readonly events: readonly TranscriptEvent[]; readonly total: number }>
  /** Calls back with batches of new events, or with what the agent is writing now; returns what ends it. */
  follow(listener: (events: readonly TranscriptEvent[], partial?: string) => void): () => void
}

export interface TranscriptState {
  readonly transcript: Transcript
  /** What the agent has written so far of a text that comes as a whole later. */
  readonly partial: string
  /** All events of the run, read or not. */
  readonly total: number
  readonly status: 'loading' | 'ready' | 'failed'
  readonly isReadingEarlier: boolean
  readonly hasEarlier: boolean
}

export interface TranscriptReader {
  state(): TranscriptState
  /** Reads the page before the first event; does nothing while one is read or when there is none. */
  readEarlier(): Promise<void>
  /** Reads what is missing after the last event; also the way out of `failed`. */
  catchUp(): Promise<void>
  stop(): void
}

/** The text has come, or will not come any more. */
const endsPartial: ReadonlySet<TranscriptEvent['kind']> = new Set(['text', 'result', 'error', 'retry'])

const firstPage = 200
const earlierPage = 500
const catchUpPage = 1_000

export const initialState: TranscriptState = {
  transcript: emptyTranscript,
  partial: '',
  total: 0,
  status: 'loading',
  isReadingEarlier: false,
  hasEarlier: false,
}

export function createTranscriptReader(source: TranscriptSource, onChange: () => void): TranscriptReader {
  let state = initialState
  let isStopped = false
  let isCatchingUp = false
  let isCatchUpDue = false

  const set = (change: Partial<TranscriptState>): void => {
    if (isStopped) return
    state = { ...state, ...change }
    onChange()
  }

  const add = (events: readonly TranscriptEvent[]): void => {
    const transcript = append(state.transcript, events)
    if (transcript === state.transcript) return
    const added = (transcript.lastSeq ?? 0) - (state.transcript.lastSeq ?? 0)
    set({
      transcript,
      total: Math.max(state.total + (state.status === 'loading' ? 0 : added), transcript.rows.length),
    })
  }

  const catchUp = async (): Promise<void> => {
    if (isCatchingUp) {
      isCatchUpDue = true
      return
    }
    isCatchingUp = true
    try {
      do {
        isCatchUpDue = false
        await readOn()
      } while (isCatchUpDue && !isStopped)
      if (state.status !== 'ready') set({ status: 'ready' })
    } catch {
      set({ status: 'failed' })
    } finally {
      isCatchingUp = false
    }
  }

  const readOn = async (): Promise<void> => {
    for (;;) {
      const isFirst = state.transcript.lastSeq === null
      const limit = isFirst ? firstPage : catchUpPage
      const page = await source.read({ afterSeq: state.transcript.lastSeq, beforeSeq: null, limit })
      const transcript = append(state.transcript, page.events)
      set({
        transcript,
        total: page.total,
        hasEarlier: isFirst ? page.events.length < page.total : state.hasEarlier,
      })
      if (isStopped || isFirst || page.events.length < limit) return
    }
  }

  const end = source.follow((events, partial) => {
    if (partial !== undefined) return set({ partial })
    if (state.partial !== '' && events.some(({ kind }) => endsPartial.has(kind))) set({ partial: '' })
    // before the first page a batch says only that there is more to read
    if (state.status !== 'ready' || !follows(state.transcript, events)) void catchUp()
    else add(events)
  })
  void catchUp()

  return {
    state: () => state,
    catchUp,
    async readEarlier() {
      const { firstSeq } = state.transcript
      if (state.isReadingEarlier || !state.hasEarlier || firstSeq === null) return
      set({ isReadingEarlier: true })
      try {
        const page = await source.read({ afterSeq: null, beforeSeq: firstSeq, limit: earlierPage })
        set({
          transcript: prepend(state.transcript, page.events),
          hasEarlier: page.events.length === earlierPage,
          isReadingEarlier: false,
        })
      } catch {
        set({ isReadingEarlier: false, status: 'failed' })
      }
    },
    stop() {
      isStopped = true
      end()
    },
  }
}
