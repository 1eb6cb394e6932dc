import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/*
 * What a process and all that descend from it use, as Linux tells it.
 */

/** Proportional set size of all of them, in MB: memory that several share is counted once. */
export function memoryOfTree(pid: number): number {
  const kB = membersOf(pid).map(({ pid: member }) => {
    const found = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${member}/smaps_rollup`))?.[1]
    return Number(found ?? 0)
  })
  return (sum(kB) * 1024) / 1e6
}

/** Processor time that all of them used so far, in milliseconds. */
export const processorTimeOfTree = (pid: number): number =>
  (sum(membersOf(pid).map(({ ticks }) => ticks)) * 1000) / ticksPerSecond()

interface Member {
  readonly pid: number
  readonly parent: number
  /** In user and system mode. */
  readonly ticks: number
}

function membersOf(root: number): readonly Member[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => memberOf(Number(name)))
  const found = new Set([root])
  for (let before = 0; before < found.size;) {
    before = found.size
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid)
  }
  return all.filter(({ pid }) => found.has(pid))
}

function memberOf(pid: number): readonly Member[] {
  const stat = read(`/proc/${pid}/stat`)
  // the name before may hold anything, also blanks and parentheses
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields.length < 13) return []
  return [{ pid, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }]
}

/** Empty for a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const ticksPerSecond = (): number => Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
