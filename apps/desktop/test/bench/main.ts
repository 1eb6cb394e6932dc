import { benchColdStart } from './cold-start'
import type { BenchRow } from './figures'
import { benchPriorLookup } from './prior-lookup'
import { benchTimelinePage } from './timeline-page'
import { benchTranscriptSearch } from './transcript-search'

const json = process.argv.includes('--json')
const app = given('ALFRED_BENCH_APP')

const benches: readonly (() => BenchRow | Promise<BenchRow>)[] = [
  benchPriorLookup,
  benchTimelinePage,
  benchTranscriptSearch,
  () => benchColdStart(app),
]

const rows: BenchRow[] = []
for (const bench of benches) {
  const row = await bench()
  rows.push(row)
  process.stderr.write(`${inWords(row)}\n`)
}
if (json) process.stdout.write(`${JSON.stringify({ rows })}\n`)
process.exitCode = rows.every((row) => row.within) ? 0 : 1

function inWords({ name, ours, rival, unit, ratio, budget, within }: BenchRow): string {
  const against =
    rival === null ? `budget ${budget} ${unit}` : `rival ${rival} ${unit}, ${ratio}x, budget ${budget}x`
  return `${within ? 'within' : 'OVER  '}  ${name}: ${ours} ${unit} (${against})`
}

function given(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: start the benchmarks with npm run bench`)
  return value
}
