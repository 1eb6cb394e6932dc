import type { IconName } from '../../components/icon'
import type { ActionId } from '../../lib/keyboard/key-map'
import { openView } from '../../lib/navigation/store'
import { settingsView, type Screen } from '../../lib/navigation/view'

interface ScreenEntry {
  readonly screen: Screen
  readonly label: string
  readonly icon: IconName
  /** Its key, and its name for tests. */
  readonly action: ActionId
  readonly open: () => void
}

/** The screens at the lower end of sidebar and rail, from top to bottom. */
export const screenEntries: readonly ScreenEntry[] = [
  {
    screen: 'agents',
    label: 'Agents',
    icon: 'cpu',
    action: 'open-agents',
    open: () => openView({ screen: 'agents' }),
  },
  {
    screen: 'forges',
    label: 'Forges',
    icon: 'plug',
    action: 'open-forges',
    open: () => openView({ screen: 'forges' }),
  },
  {
    screen: 'settings',
    label: 'Settings',
    icon: 'settings',
    action: 'open-settings',
    open: () => openView(settingsView),
  },
  {
    screen: 'diagnostics',
    label: 'Diagnostics',
    icon: 'activity',
    action: 'open-diagnostics',
    open: () => openView({ screen: 'diagnostics' }),
  },
]

/** Whether a screen is an entry of the sidebar; a run, an issue or a chat is none. */
export const hasEntry = (screen: Screen): boolean =>
  screen === 'home' || screenEntries.some((entry) => entry.screen === screen)
