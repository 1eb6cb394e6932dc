import type { LlmSession } from '../model/records'

/** What of a session decides which one speaks. */
type Speaking = Pick<LlmSession, 'nativeSessionId' | 'resumeFallback'>

/**
 * The session row that speaks for a run of several attempts: the first one's, but a fallback in any attempt wins.
 * `sessions` are those of one run, oldest first; null when there is none.
 */
export function sessionOfRun<S extends Speaking>(sessions: readonly S[]): S | null {
  const speaker = sessions.find(hasFallenBack) ?? sessions[0]
  if (speaker === undefined) return null
  if (speaker.nativeSessionId !== null) return speaker
  // An attempt that was cut before the CLI told its id: a later one of the same run knows it.
  const later = sessions.slice(sessions.indexOf(speaker)).find((row) => row.nativeSessionId !== null)
  return later === undefined ? speaker : { ...speaker, nativeSessionId: later.nativeSessionId }
}

const hasFallenBack = (row: Speaking): boolean =>
  row.resumeFallback === 'state_missing' ||
  row.resumeFallback === 'unsupported_version' ||
  row.resumeFallback === 'refused'
