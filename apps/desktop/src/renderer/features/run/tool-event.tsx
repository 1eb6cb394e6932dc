import { useMemo } from 'react'
import { DiffCounts, InlineDiff } from '../../components/diff-lines'
import { Icon } from '../../components/icon'
import { OutputBox } from './output-box'
import { toolFigures } from './row-looks'
import { toolDiff } from './tool-diff'
import { countLines, type ToolRow } from '../../lib/transcript/transcript-rows'

export interface ToolEventProps {
  readonly row: ToolRow
  readonly isOpen: boolean
  readonly isLive: boolean
  readonly isTabStop: boolean
  readonly onToggle: () => void
}

/** A call of a tool: one line when folded; open it shows the change or the call, and what came of it. */
export function ToolEvent({ row, isOpen, isLive, isTabStop, onToggle }: ToolEventProps) {
  const diff = useMemo(() => toolDiff(row), [row])
  const file = diff?.files[0]
  const failed = row.result?.failed === true
  return (
    <>
      <button
        type="button"
        className="tool-line"
        aria-expanded={isOpen}
        tabIndex={isTabStop ? 0 : -1}
        onClick={onToggle}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} className="text-ink-3" />
        <span className="flex-none font-semibold">{row.name}</span>
        <span className="mono cut text-ink-2">{row.summary}</span>
        <span className="ml-auto inline-flex flex-none items-center gap-1.5 text-11 text-ink-3">
          {failed && <span className="font-medium text-bad">failed</span>}
          {row.result === null && (isLive ? <span className="text-run">running</span> : 'no result')}
          {file ? <DiffCounts added={file.added} deleted={file.deleted} /> : toolFigures(row)}
        </span>
      </button>
      {isOpen && diff && <InlineDiff files={diff.files} rows={diff.rows} test="transcript-diff" />}
      {isOpen && !diff && row.input !== '' && row.input !== row.summary && (
        <OutputBox text={row.input} lineCount={countLines(row.input)} isTabStop={isTabStop} label="Call" />
      )}
      {isOpen && (!diff || failed) && row.result && row.result.output !== '' && (
        <OutputBox
          text={row.result.output}
          lineCount={countLines(row.result.output)}
          isTabStop={isTabStop}
          label="Result"
        />
      )}
    </>
  )
}
