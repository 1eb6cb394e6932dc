import { lowestVersions } from '@main/core/agents/lowest-versions'
import { resumeVersions } from '@main/core/agents/resume-versions'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import { defineAdapter } from '../define-adapter'
import { uuidPattern } from '../session-arguments'
import { versionBetween } from '../version-output'
import { attachCommand, headlessCommand } from './copilot-command'
import { providerFailure, resumeFailure } from './failures'
import { copilotHandMade } from './hand-made'
import { copilotLogin } from './login'
import { providerNames } from './providers'
import { figuresInState } from './state-figures'
import { createCopilotParser } from './stream-parser'

/*
 * Copilot CLI (`copilot`), run headless. Each session is a folder with a file of events. The CLI tells its id only in
 * the last line, so the growth of that file is what proves a resume. It has no setting for how long sessions are kept, and
 * removes none by itself: only `/session prune`, which a person types, does.
 */

export function createCopilotAdapter(): AgentAdapter {
  return defineAdapter({
    id: 'copilot',
    resumableSessions: true,
    sessionStatePath: '/home/agent/.copilot/session-state',
    scratchPaths: ['/home/agent/.copilot'],
    sessionIdPattern: uuidPattern,
    choosesId: true,
    resumeVersions: resumeVersions.copilot,
    lowestVersion: lowestVersions.copilot,
    versionCommand: ['copilot', '--version'],
    // Older versions print the number alone.
    parseVersion: versionBetween('(?:GitHub Copilot CLI )?', String.raw`\.?$`),
    tellsResult: true,
    providers: providerNames,
    login: copilotLogin,
    start: headlessCommand,
    attach: attachCommand,
    createParser: createCopilotParser,
    resumeFailure,
    providerFailure,
    sessionFile: (nativeId) => (uuidPattern.test(nativeId) ? `${nativeId}/events.jsonl` : null),
    figuresInState,
    handMade: copilotHandMade,
  })
}
