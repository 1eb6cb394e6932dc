import { containerPaths } from '@main/core/sandbox/container-paths'
import type { AttachRequest, SessionRequest, StartCommand, StartRequest } from '@main/ports/agent-adapter'
import { homeFiles } from '../home-files'
import { checkedId, uuidPattern } from '../session-arguments'
import { configFile, configPath } from './grok-build-files'

type Common = Pick<StartRequest, 'session' | 'model' | 'provider' | 'baseUrl' | 'readOnly' | 'runner'>

/** No updates, no telemetry. */
export const quiet = {
  GROK_DISABLE_AUTOUPDATER: '1',
  GROK_TELEMETRY_ENABLED: '0',
  GROK_TELEMETRY_TRACE_UPLOAD: '0',
  GROK_FEEDBACK_ENABLED: '0',
} as const

/** One prompt on standard input, as it is, and events on standard output. */
export const headlessCommand = (request: StartRequest): StartCommand =>
  command(request, [
    '--prompt-file',
    '/dev/stdin',
    '--verbatim',
    '--output-format',
    'streaming-messages-json',
  ])

/** The same session in a terminal. */
export const attachCommand = (request: AttachRequest): StartCommand =>
  command({ ...request, runner: 'container' }, [])

function command(request: Common, output: readonly string[]): StartCommand {
  const files = homeFiles({ [configPath]: configFile(request) })
  const { model, baseUrl } = request
  return {
    argv: [
      'grok',
      ...output,
      '--always-approve',
      ...readOnlyArguments(request),
      ...sessionWords(request.session),
      // As one word, so that a model's name can never be read as a flag.
      ...(model === null ? [] : [`--model=${model}`]),
    ],
    environment: {
      ...quiet,
      ...(baseUrl !== null && model === null ? { GROK_MODELS_BASE_URL: baseUrl } : {}),
      ...files.environment,
    },
    files: files.files,
  }
}

/** The CLI has no names for sessions. */
function sessionWords(session: SessionRequest): readonly string[] {
  switch (session.mode) {
    case 'none':
      return []
    case 'fresh':
      return session.chosenId === null ? [] : [`--session-id=${checkedId(session.chosenId, uuidPattern)}`]
    case 'resume':
      return [`--resume=${checkedId(session.nativeId, uuidPattern)}`]
  }
}

/**
 * What is denied comes before what is allowed; it holds for files that a shell writes, too. On the host the place of
 * the workspace is not known here.
 */
function readOnlyArguments({
  readOnly,
  runner,
}: Pick<StartRequest, 'readOnly' | 'runner'>): readonly string[] {
  if (!readOnly) return []
  return [runner === 'container' ? `--deny=Edit(${containerPaths.workspace}/**)` : '--deny=Edit']
}
