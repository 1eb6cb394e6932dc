import { useEffect, useRef, useState } from 'react'
import type { RunId } from '@shared/model/ids'
import { engine } from '../engine-client'
import {
  createTranscriptReader,
  initialState,
  type TranscriptReader,
  type TranscriptState,
} from './transcript-reader'

export interface TranscriptHandle {
  readonly state: TranscriptState
  readonly readEarlier: () => void
  readonly readAgain: () => void
}

/** The transcript of a run, followed while the component is shown. */
export function useTranscript(runId: RunId): TranscriptHandle {
  const [state, setState] = useState(initialState)
  const reader = useRef<TranscriptReader | null>(null)
  useEffect(() => {
    const source = {
      read: (input: { afterSeq: number | null; beforeSeq: number | null; limit: number }) =>
        engine.query('runs.events', { runId, ...input }),
      follow: (listener: Parameters<Parameters<typeof createTranscriptReader>[0]['follow']>[0]) =>
        engine.subscribe('runs.live', { runId }, ({ events, partial }) => listener(events, partial)),
    }
    const current = createTranscriptReader(source, () => setState(current.state()))
    reader.current = current
    setState(current.state())
    return () => current.stop()
  }, [runId])
  return {
    state,
    readEarlier: () => void reader.current?.readEarlier(),
    readAgain: () => void reader.current?.catchUp(),
  }
}
