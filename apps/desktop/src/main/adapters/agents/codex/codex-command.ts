import { containerPaths } from '@main/core/sandbox/container-paths'
import type { AttachRequest, SessionRequest, StartCommand, StartRequest } from '@main/ports/agent-adapter'
import { homeFiles } from '../home-files'
import { checkedId, uuidPattern } from '../session-arguments'
import type { CodexAdapterOptions } from './codex-adapter'
import { configurationFile, configurationPath, namesFile, namesPath } from './codex-files'

/** The container is the sandbox; the CLI's own would need rights that it does not have there. */
const unasked = '--dangerously-bypass-approvals-and-sandbox'

/**
 * One prompt on standard input (`-`), events on standard output. The options stand before `resume`: only there do all
 * versions know them.
 */
export function headlessCommand(request: StartRequest, options: CodexAdapterOptions): StartCommand {
  const { session, model, runner } = request
  return {
    argv: [
      'codex',
      'exec',
      '--json',
      '--skip-git-repo-check',
      unasked,
      ...modelArguments(model),
      // On the host no session is kept at all.
      ...(runner === 'host' ? ['--ephemeral'] : []),
      ...resumeArguments(session),
      '-',
    ],
    ...surroundings(request, options, { isTerminal: false }),
  }
}

/** The same session in a terminal; the configuration sees to it that no background process outlives it. */
export function attachCommand(request: AttachRequest, options: CodexAdapterOptions): StartCommand {
  const { session, model } = request
  return {
    argv: ['codex', ...resumeArguments(session), unasked, ...modelArguments(model)],
    ...surroundings(request, options, { isTerminal: true }),
  }
}

/**
 * Only an id that is one: with anything else, an empty word included, the CLI begins a new session without a word.
 */
const resumeArguments = (session: SessionRequest): readonly string[] =>
  session.mode === 'resume' ? ['resume', checkedId(session.nativeId, uuidPattern)] : []

/** As one word, so that a model's name can never be read as a flag. */
const modelArguments = (model: string | null): readonly string[] =>
  model === null ? [] : [`--model=${model}`]

function surroundings(
  { baseUrl, session }: Pick<StartRequest, 'baseUrl' | 'session'>,
  { environment, providerConfiguration }: CodexAdapterOptions,
  { isTerminal }: { readonly isTerminal: boolean },
): Pick<StartCommand, 'environment' | 'files'> {
  const files = homeFiles({
    [configurationPath]: configurationFile({
      baseUrl,
      workspace: containerPaths.workspace,
      provider: providerConfiguration ?? {},
      isTerminal,
    }),
    ...(session.mode === 'resume' ? { [namesPath]: namesFile(session) } : {}),
  })
  return { environment: { ...files.environment, ...environment }, files: files.files }
}
