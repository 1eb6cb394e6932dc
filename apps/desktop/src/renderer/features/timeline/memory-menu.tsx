import type { RunId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { Menu, MenuItem, MenuSeparator } from '../../components/menu'
import { targetName, type RepairTarget } from './repair-targets'

export interface MemoryMenuProps {
  /** Of the selected row. */
  readonly runId: RunId
  readonly targets: readonly RepairTarget[]
  /** Why nothing can be done with them now; null: it can. */
  readonly reason: string | null
  readonly onChoose: (kind: 'drop-memory' | 'fork-memory', target: RepairTarget) => void
}

/** What a person can do with the memories of the selected row, beside going on with them. */
export function MemoryMenu({ runId, targets, reason, onChoose }: MemoryMenuProps) {
  if (targets.length === 0) return null
  return (
    <Menu
      side="top"
      trigger={
        <Button
          icon="ellipsis"
          isIconOnly
          label="More with this memory"
          spokenLabel={`More with the memory of run ${runId}`}
          test="memory-menu"
        />
      }
    >
      {targets.map((target, index) => (
        <div key={target.which}>
          {index > 0 && <MenuSeparator />}
          <MenuItem
            label={`Fork ${targetName(target)}…`}
            icon="copy"
            disabledReason={reason}
            test={`fork-${target.which}-memory`}
            onSelect={() => onChoose('fork-memory', target)}
          />
          <MenuItem
            label={`Drop ${targetName(target)}…`}
            icon="unlink"
            disabledReason={reason}
            test={`drop-${target.which}-memory`}
            onSelect={() => onChoose('drop-memory', target)}
          />
        </div>
      ))}
    </Menu>
  )
}
