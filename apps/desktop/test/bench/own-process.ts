import { execFile } from 'node:child_process'
import type { Bench } from './benches'
import type { BenchRow } from './figures'

/*
 * Memory that one benchmark filled and gave back is there for the next one, which then seems to need none. So those of
 * memory run in a process each: the same program once more, with that one alone.
 */

/** The topic that this process was started for. */
const ownTopic = 'ALFRED_BENCH_OWN'

export const inOwnProcess = ({ topic, measure }: Bench): Bench => ({
  topic,
  measure: (app) => (process.env[ownTopic] === topic ? measure(app) : measureApart(topic)),
})

function measureApart(topic: string): Promise<readonly BenchRow[]> {
  const words = [process.argv[1] ?? '', '--json', '--only', topic]
  const env = { ...process.env, [ownTopic]: topic }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, words, { env }, (failure, stdout, stderr) => {
      const rows = rowsOf(stdout)
      // One over its budget ends the process badly, and is a row all the same.
      if (rows.length > 0) resolve(rows)
      else
        reject(
          new Error(`its process told no row: ${stderr.trim() || (failure?.message ?? 'it said nothing')}`),
        )
    })
  })
}

function rowsOf(report: string): readonly BenchRow[] {
  try {
    return (JSON.parse(report) as { readonly rows: readonly BenchRow[] }).rows
  } catch {
    return []
  }
}
