import { readFileSync } from 'node:fs'
import type { AlfredProcess } from './alfred-process'

/*
 * When and how an engine dies, drawn from a seed.
 */

export interface Kill {
  /** From the start of the process, or from when it answers. */
  readonly from: 'start' | 'ready'
  readonly afterMs: number
  /** Milliseconds of the demo agent for a step, in this life of the engine. */
  readonly pace: number
  /** The git processes that it started die with it, as when a whole service is killed. */
  readonly takesGitAlong: boolean
}

export interface KilledWorkload {
  readonly number: number
  readonly kills: readonly Kill[]
}

/** The same for the same seed, whatever the number of kills: more of them begin with the same ones. */
export function drawKills(seed: number, count: number, perWorkload: number): readonly KilledWorkload[] {
  const draw = random(seed)
  const kills = Array.from({ length: count }, (): Kill => {
    const from = draw() < 0.25 ? 'start' : 'ready'
    return {
      from,
      afterMs: Math.floor(draw() * (from === 'start' ? 1_000 : 2_000)),
      pace: Math.floor(draw() * 60),
      takesGitAlong: draw() < 0.5,
    }
  })
  return Array.from({ length: Math.ceil(count / perWorkload) }, (_, index) => ({
    number: index + 1,
    kills: kills.slice(index * perWorkload, (index + 1) * perWorkload),
  }))
}

/** mulberry32: numbers from 0 to 1. */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export async function killTogether(engine: AlfredProcess, takesGitAlong: boolean): Promise<void> {
  const children = takesGitAlong ? descendants(engine.child.pid ?? 0) : []
  await engine.kill()
  for (const pid of children) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}

/** Processes that this one started, and theirs; none where the system does not tell. */
function descendants(pid: number): readonly number[] {
  let told: string
  try {
    told = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  } catch {
    return []
  }
  const children = told
    .split(' ')
    .filter((id) => id.trim() !== '')
    .map(Number)
  return children.flatMap((child) => [child, ...descendants(child)])
}
