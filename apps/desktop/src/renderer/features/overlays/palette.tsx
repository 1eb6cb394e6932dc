import { Dialog } from '@base-ui/react/dialog'
import { Command } from 'cmdk'
import { useDeferredValue, useState, type KeyboardEvent } from 'react'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { Icon } from '../../components/icon'
import { Kbd } from '../../components/kbd'
import { closeOverlay } from '../../lib/overlays'
import { runAction } from '../../lib/keyboard/actions'
import { openHome, openView } from '../../lib/navigation/store'
import { counted } from '@shared/format'
import type { RunId } from '@shared/model/ids'
import { CommandItems } from './palette-commands'
import { MailboxItems } from './palette-mailboxes'
import { runOfQuery } from './match-parts'
import { TranscriptItems } from './palette-transcripts'
import { hitCount } from './strings'
import { usePaletteResults, type PaletteResults } from './use-palette-results'
import { scopes, scopeWords, type PaletteScope } from './palette-scope'

/** Everything that can be done or opened, by its words. Opened by Ctrl K from anywhere. */
export function Palette() {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && closeOverlay()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="palette" aria-label="Command palette" data-test="command-palette">
          <PaletteBody />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function PaletteBody() {
  const [text, setText] = useState('')
  const [scope, setScope] = useState<PaletteScope>('everything')
  const [withDone, setWithDone] = useState(false)
  const query = useDeferredValue(text.trim())
  const results = usePaletteResults(query, scope, withDone)
  const runId = scope === 'commands' || scope === 'transcripts' ? null : runOfQuery(query)
  const { transcripts } = results
  const isEmpty =
    results.commands.length === 0 &&
    results.mailboxes.length === 0 &&
    transcripts.hits.length === 0 &&
    runId === null &&
    !results.isSearching
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      setScope('transcripts')
      return
    }
    if (event.key !== 'Tab' || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    const step = event.shiftKey ? scopes.length - 1 : 1
    setScope((now) => scopes[(scopes.indexOf(now) + step) % scopes.length] ?? 'everything')
  }
  return (
    <Command shouldFilter={false} loop label="Command palette" onKeyDown={onKeyDown}>
      <div className="palette-input">
        <Icon name="search" size={16} className="text-ink-3" />
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="Search issues, runs, transcripts, commands"
          spellCheck={false}
        />
        <span className="chip" role="status">
          in: {scopeWords[scope]}
        </span>
        <Kbd keys="Tab" />
      </div>
      <Command.List label="Results">
        {runId !== null && (
          <Command.Group heading="Runs">
            <Command.Item
              value={`run ${runId}`}
              data-test="palette-item"
              onSelect={() => leaveFor(() => openView({ screen: 'run', runId: runId as RunId }))}
            >
              <Icon name="play" size={15} />
              <span>Open run {runId}</span>
            </Command.Item>
          </Command.Group>
        )}
        <CommandItems
          commands={results.commands}
          query={query}
          onChoose={(id) => leaveFor(() => runAction(id))}
        />
        <MailboxItems
          rows={results.mailboxes}
          query={query}
          onChoose={(row) =>
            leaveFor(() =>
              openHome({ filter: row.isOpen ? 'all-open' : 'done', projectId: null, mailboxId: row.id }),
            )
          }
        />
        <TranscriptItems
          hits={transcripts.hits}
          query={query}
          onChoose={({ row, seq }) => leaveFor(() => openView({ screen: 'run', runId: row.runId, seq }))}
        />
        {isEmpty && (
          <EmptyState
            motif={{ icon: 'search' }}
            title={`Nothing found for “${query}”`}
            test="empty-search"
            actions={
              !withDone &&
              (scope === 'everything' || scope === 'issues') && (
                <Button label="Search Done as well" onClick={() => setWithDone(true)} />
              )
            }
          >
            {emptyWords[scope]}
          </EmptyState>
        )}
      </Command.List>
      <PaletteFoot count={results.mailboxes.length} transcripts={transcripts} />
    </Command>
  )
}

const emptyWords: Readonly<Record<PaletteScope, string>> = {
  everything: 'No open issue, run, transcript or command has these words.',
  commands: 'No command has these words.',
  issues: 'No open issue or run has these words.',
  transcripts: 'No transcript has all of these words.',
}

/** Closes first, so that what is opened gets the focus and not what had it before. */
function leaveFor(action: () => void): void {
  closeOverlay()
  requestAnimationFrame(action)
}

function PaletteFoot({
  count,
  transcripts,
}: {
  readonly count: number
  readonly transcripts: PaletteResults['transcripts']
}) {
  const { hits, total, isTotalCut, tookMs } = transcripts
  return (
    <div className="palette-foot" aria-hidden="true">
      <span data-test="palette-count">
        {[
          count > 0 ? counted(count, 'issue') : '',
          hits.length > 0 ? hitCount(hits.length, total, isTotalCut, tookMs) : '',
        ]
          .filter((part) => part !== '')
          .join(' · ')}
      </span>
      <span className="grow" />
      <span>
        <Kbd keys="↑" /> <Kbd keys="↓" /> choose
      </span>
      <span>
        <Kbd keys="Enter" /> open
      </span>
      {total > hits.length && (
        <span>
          <Kbd keys="Ctrl+Enter" /> all hits
        </span>
      )}
      <span>
        <Kbd keys="Tab" /> where
      </span>
      <span>
        <Kbd keys="Esc" /> close
      </span>
    </div>
  )
}
