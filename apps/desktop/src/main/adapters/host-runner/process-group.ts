import { readdirSync, readFileSync } from 'node:fs'

/*
 * Whose a process group is. The system gives numbers away again, so a number alone proves nothing.
 */

/** What `bornOf` says of a live process on a system that does not tell when it began. */
export const withoutBirth = 'there'

/** When a process began, in the system's own words; null when it has ended. Where there is no /proc: whether it is there. */
export function bornOf(pid: number): string | null {
  const fields = statOf(pid)
  if (fields !== null) return fields.state === 'Z' ? null : fields.born
  if (process.platform === 'linux') return null
  return isThere(pid) ? withoutBirth : null
}

/**
 * What is left of a group whose leader has ended. It is ours when one of it has `entry` (`NAME=value`) in its
 * environment, which a child of a run has unless it clears that; `unknown` when nothing says so.
 */
export function leftOfGroup(leader: number, entry: string): 'nothing' | 'ours' | 'unknown' {
  if (process.platform !== 'linux') return isThere(-leader) ? 'unknown' : 'nothing'
  const members = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const fields = statOf(pid)
      return fields !== null && fields.group === leader && fields.state !== 'Z'
    })
  if (members.length === 0) return 'nothing'
  return members.some((pid) => environmentOf(pid).includes(entry)) ? 'ours' : 'unknown'
}

function statOf(
  pid: number,
): { readonly state: string; readonly group: number; readonly born: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', group: Number(fields[2]), born: fields[19] ?? '' }
  } catch {
    return null
  }
}

/** Another user's cannot be read: then it says nothing. */
function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
