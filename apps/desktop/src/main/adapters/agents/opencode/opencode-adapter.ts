import { resumeVersions } from '@main/core/agents/resume-versions'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import { defineAdapter } from '../define-adapter'
import { versionBetween } from '../version-output'
import { isStateUnusable, providerFailure, resumeFailure } from './failures'
import { opencodeHandMade } from './hand-made'
import { opencodeLogin } from './login'
import { attachCommand, headlessCommand, sessionFolder, sessionIdPattern } from './opencode-command'
import { createOpencodeParser } from './stream-parser'

/*
 * OpenCode (`opencode`), run headless. All its sessions are rows of one SQLite database, most of which lies in the
 * write-ahead log beside it: the whole folder is kept. The CLI has no setting for how long sessions are kept, and
 * removes none by itself.
 */

export function createOpencodeAdapter(): AgentAdapter {
  return defineAdapter({
    id: 'opencode',
    resumableSessions: true,
    sessionStatePath: sessionFolder,
    scratchPaths: ['/home/agent/.local/share/opencode'],
    sessionIdPattern,
    choosesId: false,
    resumeVersions: resumeVersions.opencode,
    versionCommand: ['opencode', '--version'],
    parseVersion: versionBetween('', '$'),
    tellsResult: true,
    providers: null,
    login: opencodeLogin,
    start: headlessCommand,
    attach: attachCommand,
    createParser: createOpencodeParser,
    resumeFailure,
    isStateUnusable,
    providerFailure,
    sessionFile: () => null,
    handMade: opencodeHandMade,
  })
}
