import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { classNames } from '../lib/class-names'
import { parseDiff, type DiffFile, type DiffRow } from '../lib/diff-rows'
import { onRovingKey, rovingButton } from '../lib/keyboard/roving-buttons'
import { DiffCounts, DiffFileHead, DiffLine } from './diff-lines'
import { PathText } from './path-text'

export interface DiffViewProps {
  /** A unified diff. */
  readonly patch: string
  /** The file to show first; changes of it scroll there. */
  readonly path?: string | null
  readonly onPathChange?: (path: string) => void
  readonly test?: string | undefined
}

const heights = { file: 30, line: 18 } as const
/** Longer lines are cut by the width of the widest row that is drawn; nobody reads beyond it. */
const widestLine = 2_000

const heightOf = (row: DiffRow | undefined): number => (row?.kind === 'file' ? heights.file : heights.line)

/** A whole diff: its files beside it, and its lines, of which only the visible ones are drawn. */
export function DiffView({ patch, path = null, onPathChange, test }: DiffViewProps) {
  const { files, rows } = useMemo(() => parseDiff(patch), [patch])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index]),
    overscan: 20,
  })
  const width = useMemo(
    () =>
      Math.min(
        widestLine,
        rows.reduce((most, row) => Math.max(most, lengthOf(row)), 0),
      ),
    [rows],
  )
  const wanted = path === null ? undefined : files.find((file) => file.path === path)?.rowIndex
  useEffect(() => {
    if (wanted !== undefined) virtual.scrollToIndex(wanted, { align: 'start' })
  }, [wanted, virtual])

  const go = (file: DiffFile): void => {
    virtual.scrollToIndex(file.rowIndex, { align: 'start' })
    onPathChange?.(file.path)
  }
  return (
    <div className="flex min-h-0 grow" data-test={test}>
      {files.length > 1 && <FileList files={files} path={path} onSelect={go} />}
      <div
        ref={scroller}
        className="diff-scroll"
        role="region"
        aria-label="Changed lines"
        tabIndex={0}
        data-letter-keys
      >
        <div
          className="relative"
          style={{ height: virtual.getTotalSize(), minWidth: `calc(${width}ch + 110px)` }}
        >
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index]
            const file = row?.kind === 'file' ? files[row.file] : undefined
            return (
              <div
                key={item.key}
                className="absolute inset-x-0"
                style={{ top: item.start, height: item.size }}
              >
                {file && <DiffFileHead file={file} />}
                {row && row.kind !== 'file' && <DiffLine row={row} />}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

const lengthOf = (row: DiffRow): number =>
  row.kind === 'file' ? 0 : row.text.length + (row.text.split('\t').length - 1) * 3

interface FileListProps {
  readonly files: readonly DiffFile[]
  readonly path: string | null
  readonly onSelect: (file: DiffFile) => void
}

function FileList({ files, path, onSelect }: FileListProps) {
  const current = files.findIndex((file) => file.path === path)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys of the buttons inside
    <nav className="diff-files" aria-label="Files" onKeyDown={onRovingKey}>
      {files.map((file, index) => (
        <button
          key={file.rowIndex}
          type="button"
          className={classNames('diff-file', file.path === path && 'bg-selected')}
          aria-current={file.path === path || undefined}
          {...rovingButton(index === Math.max(0, current))}
          onClick={() => onSelect(file)}
        >
          <PathText path={file.path} className="grow" />
          <DiffCounts added={file.added} deleted={file.deleted} />
        </button>
      ))}
    </nav>
  )
}
