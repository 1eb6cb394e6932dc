import { AgentsScreen } from '../features/agents/agents-screen'
import { FirstStartScreen } from '../features/doctor/first-start-screen'
import { Rail } from '../features/navigation/rail'
import { RunScreen } from '../features/run/run-screen'
import { SettingsScreen } from '../features/settings/settings-screen'
import { TrackerScreen } from '../features/tracker/tracker-screen'
import { useNavigation } from '../lib/navigation/store'
import { Home } from './home'
import { ScreenWithSidebar } from './screen-with-sidebar'

/** The screen that the navigation names, in its columns (ui.md 3). */
export function Body() {
  const view = useNavigation((state) => state.view)
  switch (view.screen) {
    case 'home':
      return <Home view={view} />
    case 'run':
      return (
        <div className="body body-rail">
          <Rail />
          <RunScreen key={view.runId} runId={view.runId} />
        </div>
      )
    case 'agents':
      return (
        <ScreenWithSidebar>
          <AgentsScreen />
        </ScreenWithSidebar>
      )
    case 'settings':
      return (
        <ScreenWithSidebar>
          <SettingsScreen scope={view.scope} scopeId={view.scopeId} settingKey={view.key} />
        </ScreenWithSidebar>
      )
    case 'diagnostics':
      return (
        <ScreenWithSidebar>
          <FirstStartScreen isDiagnostics />
        </ScreenWithSidebar>
      )
    case 'first-start':
      return (
        <div className="body">
          <FirstStartScreen isDiagnostics={false} />
        </div>
      )
    case 'tracker':
      return (
        <ScreenWithSidebar>
          <TrackerScreen projectId={view.projectId} iid={view.iid} />
        </ScreenWithSidebar>
      )
  }
}
