import { containerPaths } from '@main/core/sandbox/container-paths'
import type { AttachRequest, SessionRequest, StartCommand, StartRequest } from '@main/ports/agent-adapter'
import { homeFiles } from '../home-files'
import { checkedId, uuidPattern } from '../session-arguments'
import { providerEnvironment } from './providers'

type Common = Pick<StartRequest, 'session' | 'model' | 'provider' | 'baseUrl' | 'readOnly'>

const settingsPath = '.copilot/settings.json'

/** One prompt on standard input, events on standard output. */
export const headlessCommand = (request: StartRequest): StartCommand =>
  command(request, ['--output-format', 'json', '--allow-all', ...readOnlyArguments(request)])

/** The same session in a terminal, which asks no questions about the folder and the tools either. */
export function attachCommand(request: AttachRequest): StartCommand {
  const { argv, environment, files } = command(
    request,
    readOnlyArguments({ ...request, runner: 'container' }),
  )
  return { argv, environment: { ...environment, COPILOT_ALLOW_ALL: 'true' }, files }
}

function command(request: Common, output: readonly string[]): StartCommand {
  const files = homeFiles({ [settingsPath]: settingsFile })
  return {
    argv: [
      'copilot',
      ...output,
      '--no-auto-update',
      // Only this switches it off where GitHub serves the model: no setting and no variable does.
      '--disable-client-telemetry',
      ...sessionWords(request.session),
      // As one word, so that a model's name can never be read as a flag.
      ...(request.model === null ? [] : [`--model=${request.model}`]),
    ],
    environment: {
      COPILOT_AUTO_UPDATE: 'false',
      ...providerEnvironment(request),
      ...files.environment,
    },
    files: files.files,
  }
}

/**
 * A session is resumed by `--resume` alone: `--session-id` begins another one under an id that it does not find, and
 * says nothing. A name can only be given to a session that begins.
 */
function sessionWords(session: SessionRequest): readonly string[] {
  switch (session.mode) {
    case 'none':
      return []
    case 'fresh':
      return [
        ...(session.chosenId === null ? [] : [`--session-id=${checkedId(session.chosenId, uuidPattern)}`]),
        `--name=${session.name}`,
      ]
    case 'resume':
      return [`--resume=${checkedId(session.nativeId, uuidPattern)}`]
  }
}

/**
 * What is denied comes before what is allowed. It holds for the CLI's own edits, not for a shell. On the host the place of
 * the workspace is not known here.
 */
function readOnlyArguments({
  readOnly,
  runner,
}: Pick<StartRequest, 'readOnly' | 'runner'>): readonly string[] {
  if (!readOnly) return []
  return [runner === 'container' ? `--deny-tool=write(${containerPaths.workspace}/**)` : '--deny-tool=write']
}

/** Read at each start; nothing of it is kept. The login lies in another file. */
const settingsFile = `${JSON.stringify(
  { autoUpdate: false, banner: 'never', memory: false, keepAlive: 'off', notifications: false, beep: false },
  null,
  2,
)}\n`
