import { useMemo } from 'react'
import type { TimelineRow } from '@shared/contract/sessions'
import type { RunId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { Menu, MenuItem, MenuSeparator } from '../../components/menu'
import { monthsOf } from './months'

export interface MonthJumperProps {
  readonly rows: readonly TimelineRow[]
  readonly hasEarlier: boolean
  readonly onJump: (runId: RunId) => void
  readonly onLoadEarlier: () => void
}

/** In a long timeline: to the first session of a month. */
export function MonthJumper({ rows, hasEarlier, onJump, onLoadEarlier }: MonthJumperProps) {
  const months = useMemo(() => monthsOf(rows), [rows])
  return (
    <Menu
      align="start"
      trigger={
        <Button
          variant="quiet"
          size="sm"
          icon="clock"
          isIconOnly
          label="Jump to a month"
          test="month-jumper"
        />
      }
    >
      {months.map((month) => (
        <MenuItem key={month.name} label={month.name} onSelect={() => onJump(month.firstRunId)} />
      ))}
      {hasEarlier && (
        <>
          <MenuSeparator />
          <MenuItem label="Read earlier sessions" onSelect={onLoadEarlier} />
        </>
      )}
    </Menu>
  )
}
