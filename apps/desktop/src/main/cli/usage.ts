import { parseArgs } from 'node:util'
import { err, ok, type Result } from '@shared/result'

/*
 * How a command of `alfred` is described: its help and its parsing come from the same table.
 */

export interface OptionSpec {
  readonly type: 'string' | 'boolean'
  /** What stands for the value in the help, for strings. */
  readonly value?: string
  readonly about: string
  readonly multiple?: boolean
}

export interface CommandSpec {
  /** `issue create`: one or two words. */
  readonly name: string
  readonly about: string
  /** Names of the positional arguments; a last one in brackets may be left out, one with dots takes the rest. */
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, OptionSpec>>
  /** More lines for the help of this command. */
  readonly details?: string
}

export interface Arguments {
  readonly positionals: readonly string[]
  flag(name: string): boolean
  text(name: string): string | null
  texts(name: string): readonly string[]
}

/** The command line was not understood; the message says what was wrong with it. */
export interface UsageError {
  readonly type: 'usage'
  readonly message: string
}

export const usageError = (message: string): UsageError => ({ type: 'usage', message })

export function parseArguments(spec: CommandSpec, words: readonly string[]): Result<Arguments, UsageError> {
  const options = Object.fromEntries(
    Object.entries({ ...spec.options, help: helpOption }).map(([name, option]) => [
      name,
      { type: option.type, multiple: option.multiple === true },
    ]),
  )
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options,
      allowPositionals: true,
      strict: true,
    })
    const wrong = values['help'] === true ? null : wrongPositionals(spec, positionals)
    return wrong === null ? ok(toArguments(values, positionals)) : err(usageError(wrong))
  } catch (error) {
    return err(
      usageError(error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error)),
    )
  }
}

const helpOption: OptionSpec = { type: 'boolean', about: 'Show this help.' }

function wrongPositionals(spec: CommandSpec, given: readonly string[]): string | null {
  const required = spec.positionals.filter((name) => !name.startsWith('['))
  const missing = required[given.length]
  if (missing !== undefined) return `${missing.replace('...', '')} is missing`
  const takesRest = spec.positionals.at(-1)?.includes('...') === true
  const extra = given[spec.positionals.length]
  return extra === undefined || takesRest ? null : `unexpected argument: ${extra}`
}

function toArguments(values: Readonly<Record<string, unknown>>, positionals: readonly string[]): Arguments {
  return {
    positionals,
    flag: (name) => values[name] === true,
    text: (name) => {
      const value = values[name]
      return typeof value === 'string' ? value : null
    },
    texts: (name) => {
      const value = values[name]
      return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
    },
  }
}

export function commandHelp(spec: CommandSpec): string {
  const options = Object.entries({ ...spec.options, help: helpOption })
  const left = options.map(
    ([name, option]) => `--${name}${option.type === 'string' ? ` ${option.value ?? 'TEXT'}` : ''}`,
  )
  const width = Math.max(...left.map((text) => text.length))
  return [
    `alfred ${[spec.name, ...spec.positionals].join(' ')}${Object.keys(spec.options).length > 0 ? ' [options]' : ''}`,
    '',
    spec.about,
    ...(spec.details === undefined ? [] : ['', spec.details]),
    '',
    'Options:',
    ...options.map(([, option], index) => `  ${(left[index] ?? '').padEnd(width)}  ${option.about}`),
    '',
  ].join('\n')
}

/** What `alfred issue --help` says: the commands that begin with this word. */
export const groupHelp = (word: string, specs: readonly CommandSpec[]): string =>
  [
    `alfred ${word} COMMAND [options]      alfred ${word} COMMAND --help for one command`,
    '',
    ...commandLines(specs),
    '',
  ].join('\n')

function commandLines(specs: readonly CommandSpec[]): readonly string[] {
  const left = specs.map((spec) => [spec.name, ...spec.positionals].join(' '))
  const width = Math.max(...left.map((text) => text.length))
  return specs.map((spec, index) => `  ${(left[index] ?? '').padEnd(width)}  ${spec.about}`)
}

export function overviewHelp(specs: readonly CommandSpec[]): string {
  return [
    'alfred: coding agents work on your issues and never forget silently.',
    '',
    'alfred COMMAND [options]      alfred COMMAND --help for one command',
    '',
    ...commandLines(specs),
    '',
    'The command talks to the running Alfred of the same data folder, and starts an engine of its own only if there is none.',
    "Data folder: ALFRED_HOME, else the system's data folder + alfred. Output for programs: --json.",
    'Exit codes: 0 done, 1 it did not work, 2 the command line was not understood.',
    '',
  ].join('\n')
}
