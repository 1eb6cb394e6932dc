import { filters } from '../features/navigation/filters'
import { bridge } from '../lib/bridge'
import { engine } from '../lib/engine-client'
import { useActions, type Actions } from '../lib/keyboard/actions'
import { goBack, openHome, openView, useNavigation } from '../lib/navigation/store'
import { settingsView } from '../lib/navigation/view'
import { openOverlay, setNotificationsOpen } from '../lib/overlays'
import { focusPane } from '../lib/panes'
import { setPreferences, stepTextScale, usePreferences } from '../lib/preferences'
import { useStatusPart } from '../lib/use-query-entry'

const filterActions: Actions = Object.fromEntries(
  filters.map(({ filter, action }) => [
    action,
    { run: () => openHome({ filter, projectId: null, mailboxId: null }) },
  ]),
)

/** All issues of the built-in forge, of the project that is looked at. */
export function openIssues(): void {
  const { view } = useNavigation.getState()
  openView({ screen: 'tracker', projectId: 'projectId' in view ? view.projectId : null, iid: null })
}

const stepText = (step: 1 | -1): void =>
  setPreferences({ textScale: stepTextScale(usePreferences.getState().textScale, step) })

/** What can be done wherever the window is. */
export function useWindowActions(): void {
  const isPaused = useStatusPart((status) => status.isPaused) ?? false
  const hasRunning = useStatusPart((status) => status.running > 0) ?? false
  const canGoBack = useNavigation((state) => state.view.screen !== 'home')
  useActions({
    ...filterActions,
    'open-palette': { run: () => openOverlay({ kind: 'palette' }) },
    'open-settings': { run: () => openView(settingsView) },
    'open-agents': { run: () => openView({ screen: 'agents' }) },
    'open-forges': { run: () => openView({ screen: 'forges' }) },
    'open-diagnostics': { run: () => openView({ screen: 'diagnostics' }) },
    'open-issues': { run: openIssues },
    'new-issue': { run: () => openOverlay({ kind: 'new-issue' }) },
    'new-project': { run: () => openOverlay({ kind: 'new-project' }) },
    'open-notifications': { run: () => setNotificationsOpen(true) },
    'toggle-paused': {
      run: () => void engine.command('app.setPaused', { isPaused: !isPaused }),
      label: isPaused ? 'Resume new runs' : 'Pause new runs',
    },
    ...(hasRunning && { 'stop-all-runs': { run: () => openOverlay({ kind: 'stop-all' }) } }),
    'text-larger': { run: () => stepText(1) },
    'text-smaller': { run: () => stepText(-1) },
    'text-normal': { run: () => setPreferences({ textScale: 1 }) },
    'next-pane': { run: () => focusPane(1) },
    'previous-pane': { run: () => focusPane(-1) },
    'show-keys': { run: () => openOverlay({ kind: 'keys' }) },
    quit: { run: () => bridge().shell.quit() },
    ...(canGoBack && { 'go-back': { run: goBack } }),
  })
}
