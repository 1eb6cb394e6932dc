/*
 * Every action that has a key, once: its id, its keys, its words. The palette and the key list are made from this list;
 * what an action does, and whether it is possible now, is told by the part of the window that offers it.
 */

export interface ActionDefinition {
  readonly label: string
  /** As printed: `Ctrl+K`. The first one stands on the button. */
  readonly keys: readonly string[]
  readonly group: 'Everywhere' | 'Lists' | 'Selected run' | 'Transcript' | 'Chat'
  /** Single letters: only while a list, timeline or transcript has the focus. */
  readonly isLetter?: true
  /** Moves the focus or edits what is open: of no use in the palette. */
  readonly isSilent?: true
}

const define = <K extends string>(
  actions: Record<K, ActionDefinition>,
): Readonly<Record<K, ActionDefinition>> => actions

export const keyMap = define({
  'open-palette': {
    label: 'Search and commands',
    keys: ['Ctrl+K', 'Ctrl+P'],
    group: 'Everywhere',
    isSilent: true,
  },
  'filter-all-open': { label: 'Show all open', keys: ['Ctrl+1'], group: 'Everywhere' },
  'filter-needs-you': { label: 'Show what needs you', keys: ['Ctrl+2'], group: 'Everywhere' },
  'filter-running': { label: 'Show what is running', keys: ['Ctrl+3'], group: 'Everywhere' },
  'filter-in-ci': { label: 'Show what is in CI', keys: ['Ctrl+4'], group: 'Everywhere' },
  'filter-in-review': { label: 'Show what is in review', keys: ['Ctrl+5'], group: 'Everywhere' },
  'filter-blocked': { label: 'Show what is blocked', keys: ['Ctrl+6'], group: 'Everywhere' },
  'filter-done': { label: 'Show what is done', keys: ['Ctrl+7'], group: 'Everywhere' },
  'open-settings': { label: 'Open settings', keys: ['Ctrl+,'], group: 'Everywhere' },
  'open-agents': { label: 'Open agents', keys: ['Ctrl+Shift+A'], group: 'Everywhere' },
  'open-forges': { label: 'Connect a forge', keys: ['Ctrl+Shift+G'], group: 'Everywhere' },
  'open-diagnostics': { label: 'Open diagnostics', keys: [], group: 'Everywhere' },
  'open-issues': {
    label: 'Open all issues of the built-in forge',
    keys: ['Ctrl+Shift+I'],
    group: 'Everywhere',
  },
  'new-issue': { label: 'New issue', keys: ['Ctrl+I'], group: 'Everywhere' },
  'new-project': { label: 'New project', keys: [], group: 'Everywhere' },
  'open-notifications': { label: 'Open notifications', keys: [], group: 'Everywhere' },
  'toggle-paused': { label: 'Pause or resume new runs', keys: ['Ctrl+Shift+P'], group: 'Everywhere' },
  'stop-all-runs': { label: 'Stop all runs', keys: [], group: 'Everywhere' },
  'text-larger': { label: 'Larger text', keys: ['Ctrl++', 'Ctrl+='], group: 'Everywhere' },
  'text-smaller': { label: 'Smaller text', keys: ['Ctrl+-'], group: 'Everywhere' },
  'text-normal': { label: 'Normal text size', keys: ['Ctrl+0'], group: 'Everywhere' },
  'go-back': { label: 'Back', keys: ['Alt+Left', 'Esc'], group: 'Everywhere', isSilent: true },
  'next-pane': { label: 'Next pane', keys: ['F6'], group: 'Everywhere', isSilent: true },
  'previous-pane': { label: 'Previous pane', keys: ['Shift+F6'], group: 'Everywhere', isSilent: true },
  'show-keys': { label: 'List of keys', keys: ['?'], group: 'Everywhere', isLetter: true },
  quit: { label: 'Quit Alfred', keys: ['Ctrl+Q'], group: 'Everywhere' },

  'filter-list': { label: 'Filter the mailboxes', keys: ['/'], group: 'Lists', isLetter: true },
  'filter-timeline': { label: 'Filter the timeline', keys: ['F'], group: 'Lists', isLetter: true },
  'jump-to-live': {
    label: 'What is it doing: go to the live run',
    keys: ['W'],
    group: 'Lists',
    isLetter: true,
  },
  'follow-end': { label: 'Newest session, and follow it', keys: ['End'], group: 'Lists', isSilent: true },

  'open-run': { label: 'Open run', keys: ['Enter'], group: 'Selected run', isSilent: true },
  'validate-plan': { label: 'Validate the plan', keys: ['V'], group: 'Selected run', isLetter: true },
  'read-plan': { label: 'Read the plan', keys: [], group: 'Selected run' },
  'start-work': { label: 'Start analysis now', keys: [], group: 'Selected run' },
  'show-issue': { label: 'Show the issue', keys: [], group: 'Selected run' },
  'show-sessions': { label: 'Show the sessions', keys: [], group: 'Selected run' },
  'copy-branch-name': { label: 'Copy the branch name', keys: [], group: 'Selected run' },
  'copy-issue-link': { label: 'Copy the link of this issue', keys: [], group: 'Selected run' },
  'clean-up': { label: 'Clean up', keys: [], group: 'Selected run' },
  'show-push': { label: 'Show what waits to be pushed', keys: [], group: 'Selected run' },
  'approve-push': { label: 'Push what waits for you', keys: [], group: 'Selected run' },
  'go-on-without-push': {
    label: 'Go on without what waits to be pushed',
    keys: [],
    group: 'Selected run',
  },
  'discard-push': { label: 'Discard what waits to be pushed', keys: [], group: 'Selected run' },
  'continue-as-chat': { label: 'Continue as chat', keys: ['C'], group: 'Selected run', isLetter: true },
  'resume-in-terminal': { label: 'Resume in terminal', keys: ['T'], group: 'Selected run', isLetter: true },
  'resume-in-window': {
    label: 'Resume in a terminal of this window',
    keys: ['Shift+T'],
    group: 'Selected run',
    isLetter: true,
  },
  'copy-resume-command': {
    label: 'Copy the command for a terminal',
    keys: ['Y'],
    group: 'Selected run',
    isLetter: true,
  },
  'copy-session-id': { label: 'Copy session id', keys: ['Shift+Y'], group: 'Selected run', isLetter: true },
  'retry-run': { label: 'Retry', keys: ['R'], group: 'Selected run', isLetter: true },
  'retry-fresh': { label: 'Retry fresh', keys: ['Shift+R'], group: 'Selected run', isLetter: true },
  'retry-previous-id': { label: 'Retry old id', keys: [], group: 'Selected run' },
  'fork-memory': { label: 'Fork this memory', keys: [], group: 'Selected run' },
  'drop-memory': { label: 'Drop this memory', keys: [], group: 'Selected run' },
  'find-sessions': { label: 'Find sessions made by hand', keys: [], group: 'Selected run' },
  'stop-run': { label: 'Stop run', keys: ['S'], group: 'Selected run', isLetter: true },
  'open-on-forge': { label: 'Open on forge', keys: ['O'], group: 'Selected run', isLetter: true },
  'previous-in-memory': {
    label: 'Previous session of this memory',
    keys: ['['],
    group: 'Selected run',
    isLetter: true,
  },
  'next-in-memory': {
    label: 'Next session of this memory',
    keys: [']'],
    group: 'Selected run',
    isLetter: true,
  },

  'search-transcript': { label: 'Search in this transcript', keys: ['Ctrl+F'], group: 'Transcript' },
  'next-error': { label: 'Next error', keys: ['E'], group: 'Transcript', isLetter: true },
  'previous-error': { label: 'Previous error', keys: ['Shift+E'], group: 'Transcript', isLetter: true },
  'show-diff': { label: 'Diff', keys: ['D'], group: 'Transcript', isLetter: true },
  'read-new-events': { label: 'Read new events', keys: ['F8'], group: 'Transcript' },
  'copy-run-link': { label: 'Copy the link of this run', keys: [], group: 'Transcript' },

  'new-chat': { label: 'New chat, fresh memory', keys: ['Ctrl+N'], group: 'Chat' },
  'rename-chat': { label: 'Rename this chat', keys: [], group: 'Chat' },
  'export-chat': { label: 'Export this chat as Markdown', keys: [], group: 'Chat' },
  'show-chat-or-terminal': { label: 'Chat or terminal', keys: ['Ctrl+`'], group: 'Chat' },
  'detach-terminal': { label: 'Detach the terminal', keys: ['Ctrl+Shift+D'], group: 'Chat' },
  'stop-turn': { label: 'Stop this turn', keys: [], group: 'Chat' },
})

export type ActionId = keyof typeof keyMap
export const actionIds = Object.keys(keyMap) as readonly ActionId[]

/** The key printed on the button of an action. */
export const keysOf = (id: ActionId): string | undefined => keyMap[id].keys[0]

const actionByStroke = new Map<string, ActionId[]>()
for (const id of actionIds)
  for (const keys of keyMap[id].keys) actionByStroke.set(keys, [...(actionByStroke.get(keys) ?? []), id])

/** The actions that a stroke may mean; which of them is offered now decides. */
export const actionsOfStroke = (stroke: string): readonly ActionId[] => actionByStroke.get(stroke) ?? []
