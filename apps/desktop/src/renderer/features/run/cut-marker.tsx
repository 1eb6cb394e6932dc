import { Button } from '../../components/button'
import { cutWords } from './row-looks'
import type { CutRow } from '../../lib/transcript/transcript-rows'

export interface CutMarkerProps {
  readonly row: CutRow
  readonly isTabStop: boolean
  readonly onOpenRawLog: () => void
}

/** Something was left out here, and how much; the raw log has it whole. */
export function CutMarker({ row, isTabStop, onOpenRawLog }: CutMarkerProps) {
  return (
    <div
      className="flex items-center gap-2 rounded-control border border-dashed border-warn-line px-2.5 py-1 text-11 leading-[18px] font-medium text-warn"
      data-test="cut-marker"
      data-value={row.bytes}
    >
      <span className="grow">{cutWords(row)}</span>
      <Button
        size="sm"
        variant="ghost"
        className="border-warn-line text-ink"
        label="Open in raw log"
        tabIndex={isTabStop ? 0 : -1}
        onClick={onOpenRawLog}
      />
    </div>
  )
}
