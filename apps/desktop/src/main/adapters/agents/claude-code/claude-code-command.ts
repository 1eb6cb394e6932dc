import { containerPaths } from '@main/core/sandbox/container-paths'
import type { AttachRequest, SessionRequest, StartCommand, StartRequest } from '@main/ports/agent-adapter'
import { homeFiles, keyEndEnvironment } from '../home-files'
import { sessionArguments, uuidPattern } from '../session-arguments'
import { settingsFile, settingsPath, stateFile, stateFilePath } from './claude-code-files'
import { providerEnvironment } from './providers'

type Common = Pick<StartRequest, 'session' | 'model' | 'provider' | 'baseUrl' | 'readOnly' | 'runner'>

/** No updates, no telemetry, no look-ups but at the model's server; no memory of its own beside the session. */
export const quiet = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  DISABLE_AUTOUPDATER: '1',
} as const

/** One prompt on standard input, events on standard output. */
export const headlessCommand = (
  request: StartRequest,
  more: Readonly<Record<string, string>>,
): StartCommand =>
  command(request, {
    first: ['-p'],
    output: ['--output-format', 'stream-json', '--verbose', ...partArguments(request)],
    isTerminal: false,
    environment: more,
  })

/** The same session in a terminal. */
export const attachCommand = (request: AttachRequest, more: Readonly<Record<string, string>>): StartCommand =>
  command(
    { ...request, runner: 'container' },
    {
      first: [],
      output: [],
      isTerminal: true,
      environment: { ...keyEndEnvironment('ANTHROPIC_API_KEY', stateFilePath), ...more },
    },
  )

/** A person who talks with the agent reads along; every version in which sessions apply has the flag. */
const partArguments = ({ phase, session }: StartRequest): readonly string[] =>
  phase === 'chat' && session.mode !== 'none' ? ['--include-partial-messages'] : []

interface Manner {
  readonly first: readonly string[]
  readonly output: readonly string[]
  readonly isTerminal: boolean
  readonly environment: Readonly<Record<string, string>>
}

function command(request: Common, { first, output, isTerminal, environment }: Manner): StartCommand {
  const { session, model, runner } = request
  const files = homeFiles({
    [settingsPath]: settingsFile(request),
    [stateFilePath]: stateFile(containerPaths.workspace, { isTerminal }),
  })
  return {
    argv: [
      'claude',
      ...first,
      ...sessionArguments(session, uuidPattern),
      ...nameArguments(session),
      ...output,
      '--dangerously-skip-permissions',
      ...runnerArguments(runner),
      // As one word, so that a model's name can never be read as a flag.
      ...(model === null ? [] : [`--model=${model}`]),
    ],
    environment: {
      ...quiet,
      // The CLI refuses to skip its questions as root; with a rootless engine the agent is root inside.
      ...(runner === 'container' ? { IS_SANDBOX: '1' } : {}),
      ...providerEnvironment(request),
      ...files.environment,
      ...environment,
    },
    files: files.files,
  }
}

/** Versions before 2.1.90 do not know `--name`; none of them is in the range in which sessions apply. */
const nameArguments = (session: SessionRequest): readonly string[] =>
  session.mode === 'none' ? [] : [`--name=${session.name}`]

/**
 * Named on the command line, our settings come before those of the workspace: a repository cannot shorten how long
 * sessions are kept. On the host no session is kept at all.
 */
const runnerArguments = (runner: StartRequest['runner']): readonly string[] =>
  runner === 'container'
    ? ['--settings', `${containerPaths.home}/${settingsPath}`]
    : ['--no-session-persistence']
