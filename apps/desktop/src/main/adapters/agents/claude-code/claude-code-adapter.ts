import { resumeVersions } from '@main/core/agents/resume-versions'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import { defineAdapter } from '../define-adapter'
import { uuidPattern } from '../session-arguments'
import { versionBetween } from '../version-output'
import { attachCommand, headlessCommand } from './claude-code-command'
import { providerFailure, resumeFailure } from './failures'
import { claudeCodeHandMade, sessionFolder } from './hand-made'
import { claudeCodeLogin } from './login'
import { providerNames } from './providers'
import { createClaudeCodeParser } from './stream-parser'

/*
 * Claude Code (`claude`), run headless. Its sessions are files `<id>.jsonl` in a folder named after the directory
 * that it works in, which is always the same.
 */

export interface ClaudeCodeAdapterOptions {
  /** Beside what a run always has; tests shorten the CLI's own waits. */
  readonly environment?: Readonly<Record<string, string>>
}

export function createClaudeCodeAdapter({ environment = {} }: ClaudeCodeAdapterOptions = {}): AgentAdapter {
  return defineAdapter({
    id: 'claude-code',
    resumableSessions: true,
    sessionStatePath: '/home/agent/.claude/projects',
    scratchPaths: ['/home/agent/.claude'],
    sessionIdPattern: uuidPattern,
    choosesId: true,
    resumeVersions: resumeVersions['claude-code'],
    versionCommand: ['claude', '--version'],
    parseVersion: versionBetween('', String.raw`\s+\(Claude Code\)`),
    tellsResult: true,
    providers: providerNames,
    login: claudeCodeLogin,
    start: (request) => headlessCommand(request, environment),
    attach: (request) => attachCommand(request, environment),
    createParser: createClaudeCodeParser,
    resumeFailure,
    providerFailure,
    sessionFile: (nativeId) => (uuidPattern.test(nativeId) ? `${sessionFolder}/${nativeId}.jsonl` : null),
    handMade: claudeCodeHandMade,
  })
}
