import type { TimelineRow } from '@shared/contract/sessions'
import { announce } from '../../lib/announcer'
import type { CommandError } from '../../lib/engine-client'
import { openView } from '../../lib/navigation/store'
import { useSelection } from '../../lib/overlays'
import { copyText } from '../../lib/shell'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { terminalProblem } from './terminal-problem'

export interface TerminalActions {
  readonly isBusy: boolean
  /** Opens the person's own terminal program on the session of this run. */
  readonly open: (row: TimelineRow) => void
  readonly copyCommand: (row: TimelineRow) => void
}

/** The agent's own screen, in a terminal of this computer: the window opens it, and tells why it did not. */
export function useTerminal(): TerminalActions {
  const program = useCommand('terminals.openProgram')
  const open = async ({ runId }: TimelineRow): Promise<void> => {
    // of the run: by then somebody may look at another issue
    const mailboxId = useSelection.getState().selection?.mailboxId
    const result = await program.run({ runId })
    if (result.ok) return announce(`run ${runId}`, `A terminal is opened on run ${runId}`)
    // who holds the session, and what can be done about it, is told where its terminal would be
    if (result.error.type === 'already_running' && mailboxId !== undefined)
      return openView({ screen: 'terminal', mailboxId, runId, isOpen: false })
    tell(runId, result.error)
  }
  return {
    isBusy: program.isBusy,
    open: (row) => void open(row),
    copyCommand: ({ runId }) => copyCommand(`alfred attach ${runId}`),
  }
}

function tell(runId: number, error: CommandError<'terminals.openProgram'>): void {
  const { text, command } = terminalProblem(runId, error)
  showToast({
    title: 'The terminal was not opened',
    description: text,
    ...(command !== null && { action: { label: 'Copy command', onPress: () => copyCommand(command) } }),
  })
}

function copyCommand(command: string): void {
  copyText(command)
  announce('clipboard', 'Command copied')
}
