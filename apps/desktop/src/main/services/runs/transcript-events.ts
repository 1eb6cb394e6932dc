import type { TranscriptEvent } from '@shared/contract/runs'
import type { RunEventKind } from '@shared/model/words'
import type { AgentEvent } from '../../ports/agent-adapter'

/** An event before it is stored. */
export interface NewRunEvent {
  readonly at: number
  readonly kind: RunEventKind
  readonly payload: TranscriptEvent['payload']
}

/** Longer texts are cut: the whole of it stays in the raw log. */
export const maxTextCharacters = 200_000

/** What an agent's event is on the transcript; `proof` is added to session events by the recorder. */
export function toTranscriptEvents(event: AgentEvent, at: number): readonly NewRunEvent[] {
  if (event.kind === 'partial') return []
  const { kind, payload } = withPayload(event)
  if (!holdsTooLong(payload)) return [{ at, kind, payload }]
  const cut = cutTexts(payload)
  return [
    { at, kind, payload: cut.payload },
    { at, kind: 'cut', payload: { bytes: cut.droppedCharacters, keptBytes: maxTextCharacters } },
  ]
}

function withPayload(event: Exclude<AgentEvent, { kind: 'partial' }>): {
  readonly kind: RunEventKind
  readonly payload: TranscriptEvent['payload']
} {
  switch (event.kind) {
    case 'session':
      return { kind: 'session', payload: { nativeId: event.nativeId } }
    case 'text':
    case 'thought':
      return { kind: event.kind, payload: { text: event.text } }
    case 'tool': {
      const { name, summary, input, callId } = event
      return { kind: 'tool', payload: { name, summary, input, callId } }
    }
    case 'tool_result': {
      const { callId, failed, output } = event
      return { kind: 'tool_result', payload: { callId, failed, output } }
    }
    case 'usage': {
      const { kind, isOfSession: _, ...figures } = event
      return { kind, payload: figures }
    }
    case 'retry':
    case 'warning':
    case 'error':
      return { kind: event.kind, payload: { text: event.message } }
    case 'result':
      return { kind: 'result', payload: { text: event.text, succeeded: event.succeeded } }
    case 'output':
      return { kind: 'output', payload: { text: event.text, stream: 'stdout' } }
  }
}

function cutTexts(payload: TranscriptEvent['payload']): {
  readonly payload: TranscriptEvent['payload']
  readonly droppedCharacters: number
} {
  let droppedCharacters = 0
  const entries = Object.entries(payload).map(([key, value]): [string, unknown] => {
    if (!isTooLong(value)) return [key, value]
    droppedCharacters += value.length - maxTextCharacters
    return [key, value.slice(0, maxTextCharacters)]
  })
  return { payload: Object.fromEntries(entries) as TranscriptEvent['payload'], droppedCharacters }
}

/** Asked of each event: an array of its values would take longer than all else here. */
function holdsTooLong(payload: object): boolean {
  for (const key in payload) if (isTooLong((payload as Readonly<Record<string, unknown>>)[key])) return true
  return false
}

const isTooLong = (value: unknown): value is string =>
  typeof value === 'string' && value.length > maxTextCharacters
