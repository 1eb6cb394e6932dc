import { useCallback, useMemo, useRef, useState } from 'react'
import type { MailboxRow } from '@shared/contract/mailboxes'
import { MailboxList } from '../features/mailboxes/mailbox-list'
import { useMailboxes } from '../features/mailboxes/use-mailboxes'
import { filters } from '../features/navigation/filters'
import { Rail } from '../features/navigation/rail'
import { Sidebar } from '../features/navigation/sidebar'
import { useActions } from '../lib/keyboard/actions'
import { replaceView } from '../lib/navigation/store'
import type { HomeView } from '../lib/navigation/view'
import { focusNamedPane } from '../lib/panes'
import { narrowWindow, useMediaQuery } from '../lib/use-media-query'
import { useQueryEntry } from '../lib/use-query-entry'
import { EmptyList, EmptyPane } from './empty-home'
import { ListMenu } from './list-menu'
import { setListText, useListText } from './list-text'
import { MailboxPane } from './mailbox-pane'
import { NarrowFilter } from './narrow-filter'
import { ListSplitter, SidebarSplitter } from './splitters'
import { TrackerButtons } from './tracker-dialogs'

/** Filters, mailboxes, and the timeline of the selected one. */
export function Home({ view }: { readonly view: HomeView }) {
  const isNarrow = useMediaQuery(narrowWindow)
  const text = useListText()
  const input = useRef<HTMLInputElement>(null)
  const { data: counts } = useQueryEntry('mailboxes.counts', {})
  const { data: projects } = useQueryEntry('mailboxes.projects', {})
  const mailboxes = useMailboxes({ filter: view.filter, projectId: view.projectId, text })
  const project = projects?.find((one) => one.id === view.projectId) ?? null
  const selectedId = view.mailboxId ?? mailboxes.rows[0]?.id ?? null
  const select = useSelect(view)
  const title = project?.slug ?? filters.find((entry) => entry.filter === view.filter)?.label ?? ''
  const [isAskedToFilter, setAskedToFilter] = useState(false)
  const askToFilter = useCallback(() => {
    setAskedToFilter(true)
    input.current?.focus()
  }, [])
  const endFilter = useCallback(() => setAskedToFilter(false), [])
  useActions({ 'filter-list': { run: askToFilter } })
  const listKey = useMemo(
    () => JSON.stringify([view.filter, view.projectId, text]),
    [view.filter, view.projectId, text],
  )
  return (
    <div className="body body-home">
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
      <MailboxList
        title={title}
        listKey={listKey}
        count={
          text.trim() === '' ? (project?.openCount ?? counts?.[view.filter] ?? null) : mailboxes.rows.length
        }
        mailboxes={mailboxes}
        selectedId={selectedId}
        onSelect={select}
        onOpen={(row) => {
          select(row)
          focusNamedPane('timeline')
        }}
        empty={
          <EmptyList view={view} text={text} project={project} hasProjects={(projects?.length ?? 1) > 0} />
        }
        headActions={
          <ListMenu filter={view.filter} byWords={isNarrow ? { ask: askToFilter, input } : null} />
        }
        search={
          isNarrow &&
          (isAskedToFilter || text !== '') && (
            <NarrowFilter text={text} inputRef={input} isAsked={isAskedToFilter} onLeave={endFilter} />
          )
        }
        splitter={!isNarrow && <ListSplitter />}
      />
      {selectedId === null ? (
        <EmptyPane hasProjects={(projects?.length ?? 1) > 0} isLoading={mailboxes.isLoading} />
      ) : (
        <MailboxPane
          key={selectedId}
          mailboxId={selectedId}
          revealRunId={view.mailboxId === selectedId ? view.runId : null}
        />
      )}
    </div>
  )
}

/** Selecting is no step back and forth: the view is replaced. */
function useSelect(view: HomeView): (row: MailboxRow) => void {
  return useCallback(
    (row: MailboxRow) => {
      if (view.mailboxId !== row.id) replaceView({ ...view, mailboxId: row.id, runId: null })
    },
    [view],
  )
}
