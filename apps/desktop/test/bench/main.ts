import { benches, chosenBenches } from './benches'
import { benchReport, type BenchRow } from './figures'

const { json, only, app } = given()
const chosen = chosenBenches(benches, only)

const rows: BenchRow[] = []
let isComplete = true
for (const { topic, measure } of chosen) {
  try {
    for (const row of await measure(app)) {
      rows.push(row)
      process.stderr.write(`${inWords(row)}\n`)
    }
  } catch (failure) {
    // one that cannot be measured takes no other with it
    isComplete = false
    process.stderr.write(`FAILED  ${topic}: ${failure instanceof Error ? failure.stack : String(failure)}\n`)
  }
}
if (json) process.stdout.write(benchReport(rows))
process.exit(isComplete && rows.every((row) => row.within) ? 0 : 1)

function inWords({ name, ours, rival, unit, ratio, budget, within }: BenchRow): string {
  const against =
    rival === null ? `budget ${budget} ${unit}` : `rival ${rival} ${unit}, ${ratio}x, budget ${budget}x`
  return `${within ? 'within' : 'OVER  '}  ${name}: ${ours} ${unit} (${against})`
}

function given(): { json: boolean; only: readonly string[]; app: string } {
  const app = process.env['ALFRED_BENCH_APP']
  if (app === undefined) throw new Error('start the benchmarks with npm run bench')
  const only = process.argv.flatMap((word, index) =>
    word === '--only' ? [process.argv[index + 1] ?? ''] : [],
  )
  return { json: process.argv.includes('--json'), only: only.flatMap((words) => words.split(',')), app }
}
