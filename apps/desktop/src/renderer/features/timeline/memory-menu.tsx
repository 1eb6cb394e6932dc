import type { RunId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { Menu, MenuItem, MenuSeparator } from '../../components/menu'
import { runAction } from '../../lib/keyboard/actions'
import { keysOf } from '../../lib/keyboard/key-map'
import { targetName, type RepairTarget } from './repair-targets'

export interface MemoryMenuProps {
  /** Of the selected row. */
  readonly runId: RunId
  readonly targets: readonly RepairTarget[]
  /** Why nothing can be done with them now; null: it can. */
  readonly reason: string | null
  /** The agent's own screen can be shown in this window; `reason`: why not now. null: there is none to go on with. */
  readonly terminal: { readonly reason: string | null } | null
  readonly onChoose: (kind: 'drop-memory' | 'fork-memory', target: RepairTarget) => void
}

/** What a person can do with the memories of the selected row, beside what the dock says in words. */
export function MemoryMenu({ runId, targets, reason, terminal, onChoose }: MemoryMenuProps) {
  if (targets.length === 0 && terminal === null) return null
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
      {terminal !== null && (
        <MenuItem
          label="Terminal in this window"
          icon="terminal"
          keys={keysOf('resume-in-window')}
          disabledReason={terminal.reason}
          test="resume-in-window"
          onSelect={() => void runAction('resume-in-window')}
        />
      )}
      {targets.map((target, index) => (
        <div key={target.which}>
          {(index > 0 || terminal !== null) && <MenuSeparator />}
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
