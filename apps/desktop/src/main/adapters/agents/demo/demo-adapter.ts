import type { AgentAdapter, EndedStart, SessionRequest } from '@main/ports/agent-adapter'
import { defineAdapter } from '../define-adapter'
import { createJsonLinesParser } from '../json-lines/json-lines-parser'
import { demoHandMade } from './hand-made'
import { sessionArguments, uuidPattern } from '../session-arguments'
import { versionBetween } from '../version-output'

/*
 * The demo agent (resources/demo-agent): a small real program with the contract of an agent CLI, and no account.
 */

export interface DemoAdapterOptions {
  /** DEMO_PACE (milliseconds per step) and, in tests, DEMO_FAULT. */
  readonly environment?: Readonly<Record<string, string>>
}

/** ALFRED_DEMO_PACE: milliseconds per step, for who wants to watch the demo or hurry it; anything else is ignored. */
export function demoEnvironment(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const pace = env['ALFRED_DEMO_PACE'] ?? ''
  return /^\d{1,5}$/.test(pace) ? { DEMO_PACE: pace } : {}
}

const exitCode = { sessionUnusable: 4, newerSession: 5, refused: 6, usage: 2 } as const

export function createDemoAdapter({ environment = {} }: DemoAdapterOptions = {}): AgentAdapter {
  return defineAdapter({
    id: 'demo',
    resumableSessions: true,
    sessionStatePath: '/home/agent/.demo/sessions',
    scratchPaths: ['/home/agent/.demo'],
    sessionIdPattern: uuidPattern,
    choosesId: true,
    resumeVersions: [{ from: '1.0.0', to: '1.0.0' }],
    versionCommand: ['alfred-demo-agent', '--version'],
    parseVersion: versionBetween('alfred-demo-agent ', '$'),
    tellsResult: true,
    providers: null,
    login: null,
    attach: ({ session, model }) => ({
      argv: commandLine(session, model),
      environment,
      files: {},
    }),
    start: ({ session, model }) => ({
      argv: commandLine(session, model),
      environment,
      files: {},
    }),
    createParser: createJsonLinesParser,
    resumeFailure,
    providerFailure,
    sessionFile: (nativeId) => (uuidPattern.test(nativeId) ? `${nativeId}.jsonl` : null),
    handMade: demoHandMade,
  })
}

const commandLine = (session: SessionRequest, model: string | null): readonly string[] => [
  'alfred-demo-agent',
  ...sessionArguments(session, uuidPattern),
  // As one word, so that a model's name can never be read as a flag.
  ...(model === null ? [] : [`--model=${model}`]),
]

function resumeFailure({
  exitCode: code,
  stderrTail,
}: EndedStart): ReturnType<AgentAdapter['resumeFailure']> {
  if (code === exitCode.sessionUnusable && /no session found|is empty|cannot be read/.test(stderrTail))
    return 'state_missing'
  if (code === exitCode.newerSession && /newer version/.test(stderrTail)) return 'unsupported_version'
  if (code === exitCode.usage && /unknown option '--resume'/i.test(stderrTail)) return 'unsupported_version'
  if (code === exitCode.refused && /archived/.test(stderrTail)) return 'refused'
  return null
}

function providerFailure(ended: EndedStart): ReturnType<AgentAdapter['providerFailure']> {
  const { stderrTail, stdoutTail } = ended
  if (ended.exitCode === 0) return null
  const overload = /provider error: ((?:429|5\d\d)\b[^\n]*)/.exec(stderrTail)
  if (overload !== null) {
    const pause = /"retry_after_ms":(\d+)/.exec(stdoutTail)?.[1]
    return {
      type: 'retryable',
      message: overload[1] ?? '',
      retryAfterMs: pause === undefined ? null : Number(pause),
    }
  }
  const limit = /(usage limit reached[^\n]*?(\d+) seconds)/.exec(stderrTail)
  if (limit !== null)
    return { type: 'account_limit', message: limit[1] ?? '', retryAfterMs: Number(limit[2]) * 1000 }
  if (/not logged in/.test(stderrTail))
    return { type: 'login', message: 'The demo agent says that it is not logged in.', retryAfterMs: null }
  return null
}
