import type { SessionRequest } from '@main/ports/agent-adapter'

/** `--session-id`, `--resume` or nothing. Throws when an id does not match: ids come from the database, checked. */
export function sessionArguments(session: SessionRequest, pattern: RegExp): readonly string[] {
  switch (session.mode) {
    case 'none':
      return []
    case 'fresh':
      return session.chosenId === null ? [] : ['--session-id', checkedId(session.chosenId, pattern)]
    case 'resume':
      return ['--resume', checkedId(session.nativeId, pattern)]
  }
}

/** Throws when the id does not match: what reaches a command line came from the database, checked. */
export function checkedId(id: string, pattern: RegExp): string {
  if (!pattern.test(id))
    throw new Error('a session id that does not match its pattern must not reach a command line')
  return id
}

/** A uuid of any version, lower case. */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
