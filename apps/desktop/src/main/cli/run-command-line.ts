import { waitAtEnd } from '@shared/contract/terminals'
import type { Result } from '@shared/result'
import type {
  Command,
  CommandContext,
  CommandResult,
  DataContext,
  EngineCommand,
  EngineNeed,
} from './command'
import type { PersonTerminal } from './attach/person-terminal'
import { commands as allCommands } from './commands/all'
import { createEngineClient, type EngineTransport } from './engine-client'
import { exitCodes, type CommandFailure } from './failures'
import { findCommand } from './find-command'
import type { Output } from './output'
import { createSpelling, spellAdvice } from './program-name'
import { commandHelp, groupHelp, overviewHelp, parseArguments, type Arguments } from './usage'

export interface CommandLine {
  readonly words: readonly string[]
  /** What a person types for `alfred`. */
  readonly program: string
  readonly output: Output
  readonly version: string
  readonly signal: AbortSignal
  readonly readInput: () => Promise<string>
  /** Without it: all that `readInput` gives. */
  readonly readLines?: () => AsyncIterable<string>
  readonly readVariable: (name: string) => string | null
  /** Without it: no terminal is there. */
  readonly terminal?: PersonTerminal | null
  /** To the owner of the data, or to an engine made for this command. */
  readonly connect: (need: EngineNeed) => Promise<Result<EngineTransport, CommandFailure>>
  /** For commands about the data itself. */
  readonly restore: DataContext['restore']
  readonly commands?: readonly Command[]
}

const helpWords = new Set(['--help', '-h', 'help'])

/** Runs one command line and returns its exit code. */
export async function runCommandLine(line: CommandLine): Promise<number> {
  const { words, version } = line
  const commands = line.commands ?? allCommands
  const spell = createSpelling(line.program, commands)
  const output = spellAdvice(line.output, spell)
  const [first] = words
  if (first === undefined || helpWords.has(first)) return print(output, spell(overviewHelp(commands)))
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length > 0 && words.length === 2 && helpWords.has(words[1] ?? ''))
    return print(output, spell(groupHelp(first, group)))
  if (first === '--version') return print(output, `alfred ${version}`)
  const found = findCommand(commands, words)
  if (!found.ok) return fail(output, found.error, 'alfred --help')
  const { command } = found.value
  const args = parseArguments(command, found.value.words)
  if (!args.ok) return fail(output, args.error, `alfred ${command.name} --help`)
  if (args.value.flag('help')) return print(output, spell(commandHelp(command)))

  let hasLeft = false
  const onLeft = (): void => void (hasLeft = true)
  const result =
    command.needs === 'data'
      ? await command.run({ args: args.value, output, restore: line.restore })
      : await runOnEngine(line, command, args.value, { output, spell, onLeft })
  const exit = result.ok ? result.value : fail(output, result.error, `alfred ${command.name} --help`)
  if (args.value.flag(waitAtEnd) && !hasLeft) await untilRead(line)
  return exit
}

/** A window that closes with its command would take away what was just said in it. */
async function untilRead({ terminal, output, signal }: CommandLine): Promise<void> {
  if (!terminal || signal.aborted) return
  output.progress('Press Enter to close this window.')
  await terminal.untilEnter(signal)
}

async function runOnEngine(
  line: CommandLine,
  command: EngineCommand,
  args: Arguments,
  { output, spell, onLeft }: Pick<CommandContext, 'output' | 'spell' | 'onLeft'>,
): Promise<CommandResult> {
  const transport = await line.connect(command.needs)
  if (!transport.ok) return transport
  try {
    return await command.run({
      client: createEngineClient(transport.value),
      args,
      output,
      spell,
      onLeft,
      signal: line.signal,
      readInput: line.readInput,
      readLines: line.readLines ?? (() => linesOf(line.readInput)),
      readVariable: line.readVariable,
      terminal: line.terminal ?? null,
    })
  } finally {
    await transport.value.close()
  }
}

async function* linesOf(readInput: CommandLine['readInput']): AsyncIterable<string> {
  yield* (await readInput()).split(/\r?\n/)
}

function print(output: Output, text: string): number {
  output.line(text.trimEnd())
  return exitCodes.done
}

function fail(output: Output, failure: CommandFailure, help: string): number {
  output.error(failure.message)
  if (failure.type !== 'usage') return exitCodes.failed
  output.progress(`See ${help}.`)
  return exitCodes.usage
}
