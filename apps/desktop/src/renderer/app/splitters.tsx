import { Splitter } from '../components/splitter'
import { paneLimits, setPaneWidth, usePaneWidth, type Pane } from '../lib/preferences'

function PaneSplitter({ pane, label }: { readonly pane: Pane; readonly label: string }) {
  const width = usePaneWidth(pane)
  const { min, max } = paneLimits[pane]
  return (
    <Splitter
      label={label}
      value={width}
      min={min}
      max={max}
      onChange={(next) => setPaneWidth(pane, next)}
      onReset={() => setPaneWidth(pane, null)}
    />
  )
}

export const SidebarSplitter = () => <PaneSplitter pane="sidebar" label="Width of the sidebar" />
export const ListSplitter = () => <PaneSplitter pane="list" label="Width of the mailbox list" />
