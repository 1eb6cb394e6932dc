import { useRef, type ReactNode } from 'react'
import { narrowWindow, useMediaQuery } from '../lib/use-media-query'
import { Rail } from '../features/navigation/rail'
import { Sidebar } from '../features/navigation/sidebar'
import { SidebarSplitter } from './splitters'
import { TrackerButtons } from './tracker-dialogs'
import { setListText, useListText } from './list-text'

/** A screen beside the sidebar, which is a rail in small windows. */
export function ScreenWithSidebar({ children }: { readonly children: ReactNode }) {
  const isNarrow = useMediaQuery(narrowWindow)
  const text = useListText()
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="body body-side">
      {isNarrow ? (
        <Rail />
      ) : (
        <Sidebar
          text={text}
          onTextChange={setListText}
          inputRef={input}
          projectActions={<TrackerButtons />}
          splitter={<SidebarSplitter />}
        />
      )}
      {children}
    </div>
  )
}
