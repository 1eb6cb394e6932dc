import { mailboxReference } from '@shared/format/references'
import { Rail } from '../features/navigation/rail'
import { useNavigation } from '../lib/navigation/store'
import type { HomeView, View } from '../lib/navigation/view'
import { Home } from './home'
import { ScreenWithSidebar } from './screen-with-sidebar'
import {
  AgentsScreen,
  ChatScreen,
  FirstStartScreen,
  ForgesScreen,
  RunScreen,
  SettingsScreen,
  TerminalMemories,
  TerminalScreen,
  TrackerScreen,
} from './screens'
import { UnpushedStrip } from './unpushed-strip'

/** The screen that the navigation names, in its columns. */
export function Body() {
  const view = useNavigation((state) => state.view)
  return view.screen === 'home' ? <Home view={view} /> : <OtherScreen view={view} />
}

function OtherScreen({ view }: { readonly view: Exclude<View, HomeView> }) {
  switch (view.screen) {
    case 'run':
      return (
        <div className="body body-rail">
          <Rail />
          <RunScreen key={view.runId} runId={view.runId} seq={view.seq ?? null} />
        </div>
      )
    case 'chat':
      return (
        <div className="body body-chat">
          <Rail />
          <ChatScreen
            key={view.threadId}
            mailboxId={view.mailboxId}
            threadId={view.threadId}
            unpushed={(mailbox, reference) => <UnpushedStrip mailbox={mailbox} reference={reference} />}
          />
        </div>
      )
    case 'terminal':
      return (
        <div className="body body-chat">
          <Rail />
          <TerminalScreen
            key={`${view.runId} ${view.isOpen}`}
            mailboxId={view.mailboxId}
            runId={view.runId}
            isOpen={view.isOpen}
            memories={(mailbox, memory) => <TerminalMemories mailbox={mailbox} memory={memory} />}
            unpushed={(mailbox) => (
              <UnpushedStrip
                mailbox={mailbox}
                reference={mailboxReference(mailbox.kind, mailbox.iid, mailbox.forgeKind)}
              />
            )}
          />
        </div>
      )
    case 'agents':
      return (
        <ScreenWithSidebar>
          <AgentsScreen />
        </ScreenWithSidebar>
      )
    case 'forges':
      return (
        <ScreenWithSidebar>
          <ForgesScreen access={view.access} />
        </ScreenWithSidebar>
      )
    case 'settings':
      return (
        <ScreenWithSidebar>
          <SettingsScreen key={view.key} scope={view.scope} scopeId={view.scopeId} settingKey={view.key} />
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
