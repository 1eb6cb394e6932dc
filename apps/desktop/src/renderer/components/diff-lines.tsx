import type { DiffFile, DiffRow, FileChange } from '../lib/diff-rows'
import { Icon } from './icon'
import { PathText } from './path-text'

const changeWords: Readonly<Record<FileChange, string | null>> = {
  added: 'new file',
  modified: null,
  deleted: 'deleted',
  renamed: 'renamed',
}

/** The head of a file in a diff: its path, what happened to it, how many lines. */
export function DiffFileHead({ file }: { readonly file: DiffFile }) {
  const words =
    file.change === 'renamed' && file.oldPath !== null
      ? `renamed from ${file.oldPath}`
      : changeWords[file.change]
  return (
    <div className="diff-head">
      <Icon name="file" size={12} className="text-ink-3" />
      <PathText path={file.path} />
      {words && <span className="flex-none text-ink-3">{words}</span>}
      <span className="grow" />
      <DiffCounts added={file.added} deleted={file.deleted} />
    </div>
  )
}

/** `+12 -6`; a figure that is not known is not shown as 0. */
export function DiffCounts({
  added,
  deleted,
}: {
  readonly added: number | null
  readonly deleted: number | null
}) {
  if (added === null && deleted === null) return <span className="flex-none text-11 text-ink-3">binary</span>
  return (
    <span className="flex flex-none gap-1.5 font-mono text-11">
      <span className="text-ok">
        <span className="sr">{`${added ?? 0} lines added, `}</span>
        <span aria-hidden="true">{`+${added ?? 0}`}</span>
      </span>
      <span className="text-bad">
        <span className="sr">{`${deleted ?? 0} removed`}</span>
        <span aria-hidden="true">{`-${deleted ?? 0}`}</span>
      </span>
    </span>
  )
}

const signs = { added: '+', removed: '-', context: '' } as const

/** One line of a diff. Added and removed are said in words, drawn by sign, and coloured last. */
export function DiffLine({ row }: { readonly row: Exclude<DiffRow, { readonly kind: 'file' }> }) {
  if (row.kind === 'hunk') return <div className="diff-hunk">{row.text === '' ? '⋯' : `⋯ ${row.text}`}</div>
  if (row.kind === 'note') return <div className="diff-note">{row.text}</div>
  return (
    <div className="diff-line" data-kind={row.kind}>
      <span aria-hidden="true">{row.oldLine}</span>
      <span aria-hidden="true">{row.newLine}</span>
      <span aria-hidden="true">{signs[row.kind]}</span>
      <span>
        {row.kind !== 'context' && <span className="sr">{`${row.kind} `}</span>}
        {row.text}
      </span>
    </div>
  )
}

export interface InlineDiffProps {
  readonly files: readonly DiffFile[]
  readonly rows: readonly DiffRow[]
  /** More rows than these are left out, and said. */
  readonly mostRows?: number
  readonly test?: string | undefined
}

/** A small diff in the flow of other content. */
export function InlineDiff({ files, rows, mostRows = 200, test }: InlineDiffProps) {
  const left = rows.length - mostRows
  return (
    <div className="diff overflow-x-auto" data-test={test}>
      {rows.slice(0, mostRows).map((row, index) => {
        const file = row.kind === 'file' ? files[row.file] : undefined
        if (file) return <DiffFileHead key={index} file={file} />
        return row.kind === 'file' ? null : <DiffLine key={index} row={row} />
      })}
      {left > 0 && <div className="diff-note">{`${left} more lines in the Diff tab`}</div>}
    </div>
  )
}
