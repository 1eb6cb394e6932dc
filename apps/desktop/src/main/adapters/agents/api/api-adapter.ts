import { containerPaths } from '@main/core/sandbox/container-paths'
import type { AgentAdapter, StartCommand, StartRequest, StreamParser } from '@main/ports/agent-adapter'
import { defineAdapter } from '../define-adapter'
import { createJsonLinesParser } from '../json-lines/json-lines-parser'
import { uuidPattern } from '../session-arguments'
import { versionBetween } from '../version-output'
import { providerFailure } from './failures'
import { apiLogin } from './login'

/*
 * The api mode: a model's API without a CLI. A small program of ours (resources/api-agent) travels with the run's input,
 * so every image with Node has it. It looks at the code and hands an analysis or an answer back, or talks in a chat, where
 * each message comes with a replay of what was said; it keeps no session.
 */

export interface ApiAdapterOptions {
  /** The program's files by name, as `readApiAgent` reads them. */
  readonly program: Readonly<Record<string, string>>
  /** Beside what a run always has; tests shorten the program's own waits. */
  readonly environment?: Readonly<Record<string, string>>
}

const version = '1.0.0'
/** The file that is run; the others lie beside it. */
export const programName = 'alfred-api-agent.mjs'

export function createApiAdapter({ program, environment = {} }: ApiAdapterOptions): AgentAdapter {
  return defineAdapter({
    id: 'api',
    resumableSessions: false,
    whyNotResumable: 'Works without a CLI, so nothing to resume.',
    sessionStatePath: null,
    scratchPaths: [],
    // No id ever comes from it; what is here is what every adapter must name.
    sessionIdPattern: uuidPattern,
    choosesId: false,
    resumeVersions: [],
    phases: ['analysis', 'answer', 'chat'],
    needsModel: true,
    // The program itself is in no image: what must be there is Node.
    versionCommand: ['node', '-e', `console.log('alfred-api-agent ${version}')`],
    parseVersion: versionBetween('alfred-api-agent ', '$'),
    tellsResult: true,
    providers: ['anthropic', 'openai'],
    login: apiLogin,
    attach: null,
    start: (request) => startCommand(request, program, environment),
    createParser: createApiParser,
    resumeFailure: () => null,
    providerFailure,
    sessionFile: () => null,
  })
}

function startCommand(
  { session, phase, provider, model, baseUrl }: StartRequest,
  program: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>>,
): StartCommand {
  if (session.mode === 'resume')
    throw new Error('the api mode has no session: its id must not reach a command line')
  return {
    // Each as one word, so that no name can be read as a flag.
    argv: [
      'node',
      `${containerPaths.input}/${programName}`,
      `--provider=${provider ?? apiLogin.provider}`,
      `--model=${model ?? ''}`,
      `--phase=${phase}`,
    ],
    environment: { ...(baseUrl === null ? {} : { API_AGENT_BASE_URL: baseUrl }), ...environment },
    files: program,
  }
}

/** The lines of the demo agent; what looks like a session's id is none here. */
function createApiParser(): StreamParser {
  const parser = createJsonLinesParser()
  return { parse: (line) => parser.parse(line).filter(({ kind }) => kind !== 'session') }
}
