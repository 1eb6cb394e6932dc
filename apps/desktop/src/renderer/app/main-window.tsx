import { useLayoutEffect } from 'react'
import { NotificationBell } from '../features/notifications/notification-centre'
import { Banners } from '../features/notifications/banners'
import { useRunAnnouncements } from '../features/notifications/use-run-announcements'
import { StatusBar } from '../features/navigation/status-bar'
import { TitleBar } from '../features/navigation/title-bar'
import { useOverlays } from '../lib/overlays'
import { usePaneWidth } from '../lib/preferences'
import { Body } from './body'
import { Overlays } from './screens'
import { TrackerDialogs } from './tracker-dialogs'
import { useFirstStart } from './use-first-start'
import { useShell } from './use-shell'
import { useWindowActions } from './use-window-actions'

/** Frame, banner, body, status bar, and what lies over them. */
export function MainWindow() {
  useShell()
  useFirstStart()
  useWindowActions()
  useRunAnnouncements()
  usePaneWidths()
  const isOverlaid = useOverlays(({ overlay }) => overlay !== null)
  return (
    <div className="window" data-test="main-window">
      <TitleBar bell={<NotificationBell />} />
      <Banners />
      <Body />
      <StatusBar />
      {isOverlaid && <Overlays />}
      <TrackerDialogs />
    </div>
  )
}

/** Pane widths as this display was left; only in windows that have the panes side by side. */
function usePaneWidths(): void {
  const sidebar = usePaneWidth('sidebar')
  const list = usePaneWidth('list')
  useLayoutEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--w-sidebar', `${sidebar}px`)
    style.setProperty('--w-list', `${list}px`)
  }, [sidebar, list])
}
