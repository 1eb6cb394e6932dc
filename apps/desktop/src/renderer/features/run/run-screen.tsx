import { useCallback, useMemo, useState } from 'react'
import type { RunDetail } from '@shared/contract/runs'
import { formatBytes } from '@shared/format'
import type { RunId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { SkeletonRows } from '../../components/skeleton'
import { Tabs } from '../../components/tabs'
import { useActions } from '../../lib/keyboard/actions'
import { goBack, openView } from '../../lib/navigation/store'
import { useQueryEntry } from '../../lib/use-query-entry'
import { CostSection } from './cost-section'
import { DiffTab } from './diff-tab'
import { FailureNotice } from './failure-notice'
import { FilesSection } from './files-section'
import { MemoryTab } from './memory-tab'
import { NotSavedNotice } from './not-saved-notice'
import { OutboxSection } from './outbox-section'
import { PromptTab } from './prompt-tab'
import { RawLogTab } from './raw-log-tab'
import { RunFacts } from './run-facts'
import { RunHeader } from './run-header'
import { SandboxSection } from './sandbox-section'
import { isError } from '../../lib/transcript/transcript-rows'
import { TranscriptTab } from './transcript-tab'
import { useTranscript } from '../../lib/transcript/use-transcript'
import { useRetryRun } from './use-retry-run'

type Tab = 'transcript' | 'diff' | 'prompt' | 'raw-log' | 'same-memory'

/** One run: transcript, diff, prompt and log, and the facts beside them. Fills the body beside the rail. */
export function RunScreen({
  runId,
  seq,
}: {
  readonly runId: RunId
  /** The event to show first; null: the last ones. */
  readonly seq: number | null
}) {
  const { data, error } = useQueryEntry('runs.get', { runId })
  useActions({ 'go-back': { run: goBack } })

  if (error) {
    return (
      <main
        className="run-screen flex min-h-0 min-w-0 bg-surface"
        data-test="run-screen"
        data-state="missing"
      >
        <EmptyState
          motif={{ icon: 'circle-help' }}
          title={`There is no run ${runId}`}
          actions={<Button label="Back" icon="arrow-left" onClick={goBack} />}
        >
          It may have been removed with its project.
        </EmptyState>
      </main>
    )
  }
  if (!data) {
    return (
      <main className="run-screen min-h-0 min-w-0 bg-surface" data-test="run-screen" data-state="loading">
        <SkeletonRows count={12} height={44} />
      </main>
    )
  }
  return <Run key={runId} detail={data} seq={seq} />
}

function Run({ detail, seq }: { readonly detail: RunDetail; readonly seq: number | null }) {
  const { runId } = detail.row
  const [tab, setTab] = useState<Tab>('transcript')
  const [path, setPath] = useState<string | null>(null)
  const [isSearching, setSearching] = useState(false)
  const transcript = useTranscript(runId)
  const retry = useRetryRun(detail)
  const openRawLog = useCallback(() => setTab('raw-log'), [])
  const errorCount = useMemo(
    () => transcript.state.transcript.rows.filter(isError).length,
    [transcript.state.transcript.rows],
  )

  const search = (): void => {
    setTab('transcript')
    setSearching(true)
  }
  useActions({
    'show-diff': { run: () => setTab('diff') },
    'search-transcript': { run: search },
    ...memoryActions(detail),
  })
  return (
    <div
      className="run-screen flex min-h-0 min-w-0"
      data-test="run-screen"
      data-state={detail.row.state}
      data-letter-keys
    >
      <main className="flex min-w-0 flex-1 flex-col overflow-hidden bg-surface" aria-label={`Run ${runId}`}>
        <div className="grid flex-none gap-1.5 border-b border-line px-4 pt-2 pb-2.5" data-pane="run-header">
          <RunHeader
            detail={detail}
            onRetry={retry.run}
            retryReason={retry.reason}
            isRetrying={retry.isBusy}
          />
          <RunFacts detail={detail} />
        </div>
        {detail.failure && (
          <FailureNotice
            detail={detail}
            failure={detail.failure}
            onRetry={retry.run}
            onRetryWithMemory={retry.runWithMemory}
            onOpenRawLog={openRawLog}
            retryReason={retry.reason}
          />
        )}
        <NotSavedNotice
          detail={detail}
          onRetry={detail.failure === null ? retry.run : null}
          retryReason={retry.reason}
        />
        <Tabs<Tab>
          label="About this run"
          value={tab}
          onChange={setTab}
          className="flex min-h-0 grow flex-col"
          tabs={[
            {
              value: 'transcript',
              label: 'Transcript',
              count: Math.max(detail.eventCount, transcript.state.total).toLocaleString('en'),
              test: 'tab-transcript',
            },
            {
              value: 'diff',
              label: 'Diff',
              count: detail.changedFiles.length === 0 ? null : files(detail.changedFiles.length),
              test: 'tab-diff',
            },
            { value: 'prompt', label: 'Prompt', test: 'tab-prompt' },
            {
              value: 'raw-log',
              label: 'Raw log',
              count: detail.rawLogBytes === null ? null : formatBytes(detail.rawLogBytes),
              test: 'tab-raw-log',
            },
            {
              value: 'same-memory',
              label: 'Same memory',
              count: detail.sameMemory.length === 0 ? null : runs(detail.sameMemory.length),
              test: 'tab-same-memory',
            },
          ]}
          trailing={
            tab === 'transcript' && (
              <>
                {errorCount > 0 && <ErrorCount count={errorCount} />}
                <Button
                  size="sm"
                  variant="quiet"
                  isIconOnly
                  icon="search"
                  label="Search in this transcript"
                  keys="Ctrl+F"
                  onClick={search}
                />
              </>
            )
          }
        >
          {tab === 'transcript' && (
            <TranscriptTab
              detail={detail}
              seq={seq}
              transcript={transcript}
              isSearching={isSearching}
              onEndSearch={() => setSearching(false)}
              onOpenRawLog={openRawLog}
            />
          )}
          {tab === 'diff' && <DiffTab detail={detail} path={path} onPathChange={setPath} />}
          {tab === 'prompt' && <PromptTab runId={runId} />}
          {tab === 'raw-log' && <RawLogTab runId={runId} />}
          {tab === 'same-memory' && <MemoryTab detail={detail} />}
        </Tabs>
      </main>
      <aside
        className="facts-column w-[300px] flex-none wide:w-[372px]"
        aria-label="Run facts"
        data-pane="run-facts"
      >
        <CostSection detail={detail} />
        <FilesSection
          detail={detail}
          onOpenFile={(next) => {
            setPath(next)
            setTab('diff')
          }}
        />
        <SandboxSection detail={detail} />
        <OutboxSection detail={detail} />
      </aside>
    </div>
  )
}

const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`)
const runs = (count: number): string => (count === 1 ? '1 run' : `${count} runs`)

function ErrorCount({ count }: { readonly count: number }) {
  return (
    <span className="chip tone-bad" title="E goes to the next error, Shift E to the previous one">
      {count === 1 ? '1 error' : `${count} errors`}
    </span>
  )
}

/** `[` and `]` go along the memory. */
function memoryActions({ sameMemory, row }: RunDetail) {
  const index = sameMemory.indexOf(row.runId)
  const at = (position: number) => {
    const runId = index === -1 ? undefined : sameMemory[position]
    return runId === undefined
      ? { run: () => undefined, disabledReason: 'There is no further session of this memory.' }
      : { run: () => openView({ screen: 'run', runId }) }
  }
  return { 'previous-in-memory': at(index - 1), 'next-in-memory': at(index + 1) } as const
}
