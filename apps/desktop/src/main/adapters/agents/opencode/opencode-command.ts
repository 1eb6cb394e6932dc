import { containerPaths } from '@main/core/sandbox/container-paths'
import type { AttachRequest, SessionRequest, StartCommand, StartRequest } from '@main/ports/agent-adapter'
import { checkedId } from '../session-arguments'
import { configContent, modelReference } from './opencode-config'

/** `ses_`, a time in twelve hexadecimal digits, fourteen random letters and digits. */
export const sessionIdPattern = /^ses_[0-9a-f]{12}[0-9A-Za-z]{14}$/

/** A folder of its own: beside it the CLI keeps logins, logs and clones. */
export const sessionFolder = '/home/agent/.local/share/opencode/session-db'

/** No updates, no look-ups but at the model's server. */
export const quiet = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
} as const

/**
 * One prompt on standard input, events on standard output. On the command line the CLI would put a prompt with spaces
 * into quotes; and it waits for the end of its standard input, whatever it is told.
 */
export const headlessCommand = (request: StartRequest): StartCommand => ({
  argv: [
    'opencode',
    'run',
    '--format',
    'json',
    '--auto',
    '--thinking',
    ...headlessSession(request.session),
    ...modelArguments(request),
  ],
  environment: environmentOf(request),
  files: {},
})

/** The same session in a terminal. Only a run sets a title. */
export const attachCommand = (request: AttachRequest): StartCommand => ({
  argv: ['opencode', ...resumed(request.session), ...modelArguments(request)],
  environment: environmentOf({ ...request, runner: 'container' }),
  files: {},
})

/** In another directory than its own a session hangs, so it is named, although the CLI starts there anyway. */
function headlessSession(session: SessionRequest): readonly string[] {
  switch (session.mode) {
    case 'none':
      return []
    case 'fresh':
      return [`--title=${session.name}`]
    case 'resume':
      return [...resumed(session), `--dir=${containerPaths.workspace}`]
  }
}

const resumed = (session: SessionRequest): readonly string[] =>
  session.mode === 'resume' ? [`--session=${checkedId(session.nativeId, sessionIdPattern)}`] : []

/** As one word, so that a model's name can never be read as a flag. */
function modelArguments(request: Parameters<typeof modelReference>[0]): readonly string[] {
  const model = modelReference(request)
  return model === null ? [] : [`--model=${model}`]
}

const environmentOf = (
  request: Pick<StartRequest, 'session' | 'model' | 'provider' | 'baseUrl' | 'readOnly' | 'runner'>,
): Readonly<Record<string, string>> => ({
  ...quiet,
  ...databaseEnvironment(request),
  OPENCODE_CONFIG_CONTENT: configContent(request),
})

/** On the host no session is kept at all. */
function databaseEnvironment({
  session,
  runner,
}: Pick<StartRequest, 'session' | 'runner'>): Readonly<Record<string, string>> {
  if (runner === 'host') return { OPENCODE_DB: ':memory:' }
  return session.mode === 'none' ? {} : { OPENCODE_DB: `${sessionFolder}/opencode.db` }
}
