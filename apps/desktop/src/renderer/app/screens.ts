import { later } from './later'

/** The screens and dialogs that the first picture does not need. */
export const RunScreen = later(async () => (await import('../features/run/run-screen')).RunScreen)
export const ChatScreen = later(async () => (await import('../features/chat/chat-screen')).ChatScreen)
export const TerminalScreen = later(
  async () => (await import('../features/terminal/terminal-screen')).TerminalScreen,
)
export const TerminalMemories = later(async () => (await import('./terminal-memories')).TerminalMemories)
export const AgentsScreen = later(async () => (await import('../features/agents/agents-screen')).AgentsScreen)
export const ForgesScreen = later(async () => (await import('../features/forges/forges-screen')).ForgesScreen)
export const SettingsScreen = later(
  async () => (await import('../features/settings/settings-screen')).SettingsScreen,
)
export const FirstStartScreen = later(
  async () => (await import('../features/doctor/first-start-screen')).FirstStartScreen,
)
export const StartFailureScreen = later(
  async () => (await import('../features/doctor/start-failure-screen')).StartFailureScreen,
)
export const RestoredScreen = later(
  async () => (await import('../features/doctor/restored-screen')).RestoredScreen,
)
export const TrackerScreen = later(
  async () => (await import('../features/tracker/tracker-screen')).TrackerScreen,
)
export const IssuePanel = later(async () => (await import('../features/tracker/issue-panel')).IssuePanel)
export const NewIssueDialog = later(
  async () => (await import('../features/tracker/new-issue-dialog')).NewIssueDialog,
)
export const NewProjectDialog = later(
  async () => (await import('../features/tracker/new-project-dialog')).NewProjectDialog,
)
export const PlanDialog = later(async () => (await import('../features/mailboxes/plan-dialog')).PlanDialog)
export const PushDialog = later(async () => (await import('../features/mailboxes/push-dialog')).PushDialog)
export const FindSessionsDialog = later(
  async () => (await import('../features/sessions/find-sessions-dialog')).FindSessionsDialog,
)
export const Overlays = later(async () => (await import('../features/overlays/overlays')).Overlays)
