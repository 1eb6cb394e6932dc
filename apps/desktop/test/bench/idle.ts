import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { alfred, helloWorld, seedHome, startApp, type AppStart } from './driven-app'
import { againstRival, alone, median, type BenchRow } from './figures'
import { memoryOfTree, processorTimeOfTree } from './process-tree'

/** Half a minute after a start V8 tidies up, once, what the start left in memory; idle is what comes after that. */
const settlingMs = 45_000
/** Two rounds of asking the forges. */
const watchedMs = 60_000
const samples = 5

/** Nobody touches the window, nothing runs: memory of all processes against a hello-world app, and processor time. */
export async function benchIdle(app: string): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'alfred-bench-'))
  try {
    const home = join(folder, 'home')
    // no events: new ones are taken into the search for a while after the start, which is no idleness
    seedHome(home, { mailboxes: 200, runs: 2_000, attempts: 1, events: 0 })
    const rival = await watch({ ...helloWorld(app), home })
    const ours = await watch({ ...alfred(app), home })
    return [
      againstRival('idle memory (PSS of all processes)', ours.memoryMb, rival.memoryMb, 'MB', 1.35),
      alone('idle CPU', ours.processorPercent, '%', 1),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function watch(
  start: AppStart,
): Promise<{ readonly memoryMb: number; readonly processorPercent: number }> {
  const running = await startApp(start)
  try {
    await pause(settlingMs)
    const usedBefore = processorTimeOfTree(running.pid)
    const begin = performance.now()
    const memory: number[] = []
    for (let sample = 0; sample < samples; sample += 1) {
      await pause(watchedMs / samples)
      memory.push(memoryOfTree(running.pid))
    }
    const used = processorTimeOfTree(running.pid) - usedBefore
    return { memoryMb: median(memory), processorPercent: (used / (performance.now() - begin)) * 100 }
  } finally {
    await running.close()
  }
}
