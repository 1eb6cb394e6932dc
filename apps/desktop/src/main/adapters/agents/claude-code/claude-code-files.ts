import { keyEnd } from '../home-files'

/*
 * The two files that Claude Code reads in its home, written for every run: nothing of them is kept.
 */

export const settingsPath = '.claude/settings.json'
export const stateFilePath = '.claude.json'

/** About ten years; without it the CLI removes sessions that nobody used for 30 days. */
const keptDays = 3650

/**
 * `settings.json`. A phase that only reads may not edit the workspace: denied edits hold also where everything else
 * is allowed. Work in another work tree would not be collected.
 */
export function settingsFile({ readOnly }: { readonly readOnly: boolean }): string {
  return toFile({
    cleanupPeriodDays: keptDays,
    skipDangerousModePermissionPrompt: true,
    permissions: { deny: ['EnterWorktree', ...(readOnly ? ['Edit(./**)'] : [])] },
  })
}

/**
 * `.claude.json`: the questions that the CLI would ask a new user are answered. `workspace` is where it starts. A person
 * who gave a key in the settings is not asked in the terminal whether it may be used.
 */
export function stateFile(workspace: string, { isTerminal }: { readonly isTerminal: boolean }): string {
  return toFile({
    hasCompletedOnboarding: true,
    ...(isTerminal ? { customApiKeyResponses: { approved: [keyEnd] } } : {}),
    projects: { [workspace]: { hasTrustDialogAccepted: true } },
  })
}

const toFile = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
