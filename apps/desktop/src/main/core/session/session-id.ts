/** Longest id of any known CLI is under 100 characters; longer ones are not ids. */
const MAX_LENGTH = 200

/**
 * Whether a native session id may reach a command line or a file name: all of it matches the adapter's pattern,
 * and no program can read it as a flag or a path.
 */
export function isUsableSessionId(id: string, pattern: RegExp): boolean {
  if (id.length === 0 || id.length > MAX_LENGTH || !/^[A-Za-z0-9][\w.-]*$/.test(id) || id.includes('..')) {
    return false
  }
  // Without flags: a sticky or global pattern would remember its last position.
  return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).exec(id)?.[0] === id
}
