import type { AgentAdapter, AgentLogin, StartRequest } from '@main/ports/agent-adapter'
import { defineAdapter } from '../define-adapter'
import { createJsonLinesParser } from '../json-lines/json-lines-parser'
import { sessionArguments, uuidPattern } from '../session-arguments'
import { fakeProgram, fakeProgramFile, fakeScriptFile, type FakeScript } from './fake-agent-program'

/*
 * An adapter for tests whose CLI does what a script says: report ids, refuse a resume, begin another session, claim
 * success and exit 1.
 */

export interface FakeAdapterOptions {
  /** Asked at each start, so that a test can change its mind between runs. */
  readonly script: (request: StartRequest) => FakeScript
  readonly version?: string
  readonly resumableSessions?: boolean
  readonly choosesId?: boolean
  readonly login?: AgentLogin
}

const workingScript: FakeScript = {
  fresh: [
    { print: { type: 'init', session_id: '$ID' } },
    { print: { type: 'text', text: 'hello' } },
    { save: '{"turn":1}' },
    { print: { type: 'result', is_error: false, text: 'done' } },
  ],
}

export function createFakeAdapter(
  options: FakeAdapterOptions = { script: () => workingScript },
): AgentAdapter {
  const { version = '1.0.0', resumableSessions = true, choosesId = true } = options
  return defineAdapter({
    id: 'fake',
    resumableSessions,
    sessionStatePath: resumableSessions ? '/home/agent/.fake/sessions' : null,
    scratchPaths: ['/home/agent/.fake'],
    sessionIdPattern: uuidPattern,
    choosesId,
    resumeVersions: resumableSessions ? [{ from: '1.0.0', to: '1.9.9' }] : [],
    versionCommand: ['node', '-e', `console.log('fake-agent ${version}')`],
    parseVersion: (output) => /^fake-agent (\S+)/m.exec(output)?.[1] ?? null,
    tellsResult: false,
    providers: null,
    login: options.login ?? null,
    attach: null,
    start: (request) => ({
      argv: [
        'node',
        `/alfred/in/${fakeProgramFile}`,
        ...sessionArguments(request.session, uuidPattern),
        ...(request.model === null ? [] : [`--model=${request.model}`]),
      ],
      environment: {},
      files: { [fakeProgramFile]: fakeProgram, [fakeScriptFile]: JSON.stringify(options.script(request)) },
    }),
    createParser: createJsonLinesParser,
    resumeFailure: ({ stderrTail }) => {
      if (/FAKE state_missing/.test(stderrTail)) return 'state_missing'
      if (/FAKE unsupported_version/.test(stderrTail)) return 'unsupported_version'
      return /FAKE refused/.test(stderrTail) ? 'refused' : null
    },
    providerFailure: ({ stderrTail }) => {
      const match = /FAKE (retryable|account_limit|login|other)(?: (\d+))?/.exec(stderrTail)
      if (match === null) return null
      const pause = match[2] === undefined ? null : Number(match[2])
      return { type: providerType(match[1]), message: match[0], retryAfterMs: pause }
    },
    sessionFile: (nativeId) => (uuidPattern.test(nativeId) ? `${nativeId}.jsonl` : null),
  })
}

function providerType(word: string | undefined): 'retryable' | 'account_limit' | 'login' | 'other' {
  switch (word) {
    case 'retryable':
    case 'account_limit':
    case 'login':
      return word
    default:
      return 'other'
  }
}
