import { resumeVersions } from '@main/core/agents/resume-versions'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import { defineAdapter } from '../define-adapter'
import { uuidPattern } from '../session-arguments'
import { versionBetween } from '../version-output'
import { attachCommand, headlessCommand } from './codex-command'
import { providerFailure, resumeFailure } from './failures'
import { codexHandMade } from './hand-made'
import { codexLogin } from './login'
import { figuresInState, sumsInState } from './state-figures'
import { createCodexParser } from './stream-parser'

/*
 * Codex (`codex`), run headless. It gives its sessions their ids itself and tells them in its first line. A session is
 * one file, a rollout, in a folder of its day; the database beside it is an index that it makes anew, and that keeps
 * absolute paths: so only the folder of the rollouts is kept. A session's name lies in a file beside it, which is written
 * for every run that resumes.
 */

export interface CodexAdapterOptions {
  /** Beside what a run always has; tests sign in with it. */
  readonly environment?: Readonly<Record<string, string>>
  /** Beside what its configuration always says; tests shorten the CLI's own waits. */
  readonly providerConfiguration?: Readonly<Record<string, number>>
}

export function createCodexAdapter(options: CodexAdapterOptions = {}): AgentAdapter {
  return defineAdapter({
    id: 'codex',
    resumableSessions: true,
    sessionStatePath: '/home/agent/.codex/sessions',
    scratchPaths: ['/home/agent/.codex'],
    sessionIdPattern: uuidPattern,
    choosesId: false,
    resumeVersions: resumeVersions.codex,
    versionCommand: ['codex', '--version'],
    parseVersion: versionBetween('codex-cli ', '$'),
    tellsResult: true,
    providers: ['openai'],
    login: codexLogin,
    start: (request) => headlessCommand(request, options),
    attach: (request) => attachCommand(request, options),
    createParser: createCodexParser,
    resumeFailure,
    providerFailure,
    // Named after its day and its time, which only the folder knows.
    sessionFile: (nativeId) => (uuidPattern.test(nativeId) ? `*/*/*/rollout-*-${nativeId}.jsonl` : null),
    figuresInState,
    sumsInState,
    handMade: codexHandMade,
  })
}
