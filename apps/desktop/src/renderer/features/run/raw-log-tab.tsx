import { useState } from 'react'
import { formatBytes } from '@shared/format'
import type { RunId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { Notice } from '../../components/notice'
import { Segmented } from '../../components/segmented'
import { SkeletonRows } from '../../components/skeleton'
import { useQueryEntry } from '../../lib/use-query-entry'

/** One page is as much as a text box draws at once without a pause. */
const pageBytes = 256_000

type Stream = 'stdout' | 'stderr'

const streams = [
  { value: 'stdout', label: 'Output' },
  { value: 'stderr', label: 'Errors' },
] as const

/** Exactly what the CLI printed, secrets taken out, a page at a time. */
export function RawLogTab({ runId }: { readonly runId: RunId }) {
  const [stream, setStream] = useState<Stream>('stdout')
  const [offset, setOffset] = useState(0)
  const { data, error } = useQueryEntry(
    'runs.rawLog',
    { runId, stream, offset, limit: pageBytes },
    { keepPrevious: true },
  )
  if (error)
    return (
      <Notice tone="bad" icon="circle-x" className="m-4" title="The raw log could not be read.">
        {error.message}
      </Notice>
    )
  if (!data) return <SkeletonRows count={8} height={24} />

  const end = Math.min(data.totalBytes, data.offset + pageBytes)
  const last = Math.floor(Math.max(0, data.totalBytes - 1) / pageBytes) * pageBytes
  const choose = (next: Stream): void => {
    setStream(next)
    setOffset(0)
  }
  return (
    <div className="flex min-h-0 grow flex-col">
      <div className="flex flex-none items-center gap-2 border-b border-line px-3 py-1.5">
        <Segmented label="Stream" value={stream} onChange={choose} options={streams} />
        <span className="grow" />
        <span className="text-11 text-ink-3">
          {data.totalBytes <= pageBytes
            ? formatBytes(data.totalBytes)
            : `${formatBytes(data.offset)} to ${formatBytes(end)} of ${formatBytes(data.totalBytes)}`}
        </span>
        {data.totalBytes > pageBytes && (
          <>
            <Pager label="First page" text="First" isOff={offset === 0} onClick={() => setOffset(0)} />
            <Pager
              label="Earlier page"
              text="Earlier"
              isOff={offset === 0}
              onClick={() => setOffset(Math.max(0, offset - pageBytes))}
            />
            <Pager
              label="Later page"
              text="Later"
              isOff={offset >= last}
              onClick={() => setOffset(Math.min(last, offset + pageBytes))}
            />
            <Pager label="Last page" text="Last" isOff={offset >= last} onClick={() => setOffset(last)} />
          </>
        )}
      </div>
      {data.totalBytes === 0 ? (
        <EmptyState
          motif={{ icon: 'file-text' }}
          title={stream === 'stdout' ? 'No output yet' : 'No errors printed'}
        />
      ) : (
        <pre
          className="min-h-0 grow overflow-auto p-3 text-11 leading-[17px] whitespace-pre selectable"
          aria-label="Raw log"
          data-test="raw-log"
          tabIndex={0}
        >
          {data.text}
        </pre>
      )}
    </div>
  )
}

interface PagerProps {
  readonly label: string
  readonly text: string
  readonly isOff: boolean
  readonly onClick: () => void
}

const Pager = ({ label, text, isOff, onClick }: PagerProps) => (
  <Button
    size="sm"
    label={text}
    spokenLabel={label}
    disabledReason={isOff ? 'There is nothing beyond this page.' : null}
    onClick={onClick}
  />
)
