import type { Command } from '../command'
import { attachCommand } from './attach'
import { agentsAskCommand, agentsBuildCommand, agentsCheckCommand, agentsListCommand } from './agents'
import { agentsLoginCommand } from './agents-login'
import { chatCommand } from './chat'
import { demoCommand } from './demo'
import { doctorCommand } from './doctor'
import { forgeAddCommand, forgeListCommand, forgeRemoveCommand } from './forges'
import { issueChangeCommand } from './issue-change'
import { issueCleanupCommand } from './issue-cleanup'
import { issuePersonCommand } from './issue-person'
import { issuePushCommand } from './issue-push'
import { issueListCommand, issueSearchCommand, issueShowCommand } from './issue-read'
import { issueDiffCommand, issueMergeCommand } from './issue-review'
import {
  issueAssignCommand,
  issueCloseCommand,
  issueCommentCommand,
  issueCreateCommand,
  issueEditCommand,
  issueLabelCommand,
  issueReopenCommand,
} from './issue-write'
import { projectCreateCommand, projectListCommand, projectRemoveCommand } from './projects'
import { restoreCommand } from './restore'
import { retryCommand, runCommand, stopCommand } from './runs'
import { sessionsListCommand, sessionsShowCommand, sessionsVerifyCommand } from './session-list'
import {
  sessionsDropCommand,
  sessionsFindCommand,
  sessionsForkCommand,
  sessionsImportCommand,
} from './session-repair'
import { sessionsCommand } from './sessions'
import { settingsListCommand, settingsResetCommand, settingsSetCommand } from './settings'
import { watchCommand } from './watch'

/** In the order of the help. */
export const commands: readonly Command[] = [
  doctorCommand,
  restoreCommand,
  demoCommand,
  watchCommand,
  runCommand,
  stopCommand,
  retryCommand,
  chatCommand,
  attachCommand,
  sessionsCommand,
  sessionsListCommand,
  sessionsShowCommand,
  sessionsVerifyCommand,
  sessionsFindCommand,
  sessionsImportCommand,
  sessionsDropCommand,
  sessionsForkCommand,
  agentsListCommand,
  agentsCheckCommand,
  agentsAskCommand,
  agentsLoginCommand,
  agentsBuildCommand,
  forgeListCommand,
  forgeAddCommand,
  forgeRemoveCommand,
  projectListCommand,
  projectCreateCommand,
  projectRemoveCommand,
  issueCreateCommand,
  issueListCommand,
  issueSearchCommand,
  issueShowCommand,
  issueEditCommand,
  issueCommentCommand,
  issueLabelCommand,
  issueAssignCommand,
  issuePersonCommand,
  issueCloseCommand,
  issueReopenCommand,
  issueChangeCommand,
  issueDiffCommand,
  issuePushCommand,
  issueCleanupCommand,
  issueMergeCommand,
  settingsListCommand,
  settingsSetCommand,
  settingsResetCommand,
]
