import { resumeVersions } from '@main/core/agents/resume-versions'
import type { AgentAdapter, StartCommand } from '@main/ports/agent-adapter'
import { defineAdapter } from '../define-adapter'
import { uuidPattern } from '../session-arguments'
import { versionBetween } from '../version-output'
import { providerFailure, resumeFailure } from './failures'
import { attachCommand, headlessCommand } from './grok-build-command'
import { providerNames } from './grok-build-files'
import { grokBuildHandMade, sessionFolder } from './hand-made'
import { grokBuildLogin } from './login'
import { createGrokBuildParser } from './stream-parser'

/*
 * Grok Build (`grok`, of xAI; others use that name too), run headless. It makes the title of a session itself, and lets
 * only a person set one, with `/rename` on its screen. Its sessions are folders in one that is named
 * after the directory that it works in, which is always the same.
 */

export interface GrokBuildAdapterOptions {
  /** Beside what a run always has; tests sign the CLI in for a scripted model. */
  readonly environment?: Readonly<Record<string, string>>
}

export function createGrokBuildAdapter({ environment = {} }: GrokBuildAdapterOptions = {}): AgentAdapter {
  const withEnvironment = (command: StartCommand): StartCommand => ({
    ...command,
    environment: { ...command.environment, ...environment },
  })
  return defineAdapter({
    id: 'grok-build',
    resumableSessions: true,
    sessionStatePath: '/home/agent/.grok/sessions',
    scratchPaths: ['/home/agent/.grok'],
    sessionIdPattern: uuidPattern,
    choosesId: true,
    resumeVersions: resumeVersions['grok-build'],
    versionCommand: ['grok', '--version'],
    // With the commit behind it: community programs of the same name print none.
    parseVersion: versionBetween('grok ', String.raw` \([0-9a-f]+\)$`),
    tellsResult: true,
    providers: providerNames,
    login: grokBuildLogin,
    start: (request) => withEnvironment(headlessCommand(request)),
    attach: (request) => withEnvironment(attachCommand(request)),
    createParser: createGrokBuildParser,
    resumeFailure,
    providerFailure,
    // What is said to the model. The CLI goes on with an empty memory where it is damaged, and says nothing of it.
    sessionFile: (nativeId) =>
      uuidPattern.test(nativeId) ? `${sessionFolder}/${nativeId}/chat_history.jsonl` : null,
    handMade: grokBuildHandMade,
  })
}
