import { readGiven, readServed, UsageError } from './given'
import { serveMadeUpForge } from './made-up-forge'
import { createReport, Interrupted } from './report'
import { runTrial } from './trial'

/*
 * npm run try:forge. Exit codes: 0 all went well, 1 something did not, 2 what was given cannot be used, 130 interrupted.
 */

const exitCodes = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

async function main(): Promise<number> {
  const words = process.argv.slice(2)
  const served = readServed(words)
  if (served !== null) {
    const end = new AbortController()
    for (const signal of signals) process.once(signal, () => end.abort())
    await serveMadeUpForge(served, (text) => void process.stdout.write(text), end.signal)
    return exitCodes.done
  }
  const given = readGiven(words, process.env)
  const secrets = [given.token, ...(given.personToken === null ? [] : [given.personToken])]
  const report = createReport(
    {
      out: (text) => void process.stdout.write(text),
      error: (text) => void process.stderr.write(text),
    },
    secrets,
  )
  const leaving = new AbortController()
  for (const signal of signals) {
    process.on(signal, () => {
      if (leaving.signal.aborted) return
      report.progress('Interrupted: tidying up.')
      leaving.abort(new Interrupted())
    })
  }
  const isWell = await runTrial(given, report, leaving.signal)
  report.print()
  if (leaving.signal.aborted) return exitCodes.interrupted
  return isWell ? exitCodes.done : exitCodes.failed
}

try {
  process.exitCode = await main()
} catch (thrown) {
  if (!(thrown instanceof UsageError)) throw thrown
  process.stderr.write(`${thrown.message}\n`)
  process.exitCode = exitCodes.usage
}
