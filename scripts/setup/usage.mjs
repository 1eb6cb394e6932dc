// What a script says about itself, before it sets anything up.
import { StepError } from './steps.mjs'

/** Ends with the usage on standard output when `--help` is among the arguments. */
export function usageOnHelp(usage, args = process.argv.slice(2)) {
  if (!args.includes('--help') && !args.includes('-h')) return
  console.log(usage.trim())
  process.exit(0)
}

/** Refuses the first option that is not among the known ones; `--name=value` counts as `--name`. */
export function refuseUnknown(args, known) {
  const unknown = args.find((arg) => arg.startsWith('-') && !known.includes(arg.split('=')[0]))
  if (unknown !== undefined)
    throw new StepError(`there is no option ${unknown}`, `use one of: ${known.join(', ')}`)
}

/** The suites with these names, all of them when none is named; some count as all only in CI. */
export function chooseSuites(suites, names, isCi = Boolean(process.env.CI)) {
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name))
  if (unknown.length > 0)
    throw new StepError(
      `there is no suite ${unknown.join(', ')}`,
      `name some of: ${suites.map(({ name }) => name).join(', ')}; without a name all of them run`,
    )
  if (names.length === 0) return suites.filter(({ isForCi = false }) => isCi || !isForCi)
  return suites.filter(({ name }) => names.includes(name))
}
