import type { AdapterId } from '@shared/model/words'
import { announce } from './announcer'
import { runErrorText } from './run-error-text'
import { copyText } from './shell'
import { showToast } from './toasts'
import { useCommand } from './use-command'

/** The api mode has a key, and no login of its own. */
export type SignableAgent = Exclude<AdapterId, 'api'>

/** The own login of an agent's CLI, in a terminal of this computer: the window opens it, and tells why it did not. */
export function useSignIn(): {
  readonly isBusy: boolean
  readonly open: (adapter: SignableAgent) => void
} {
  const program = useCommand('terminals.openSignInProgram')
  const open = async (adapter: SignableAgent): Promise<void> => {
    const opened = await program.run({ adapter })
    if (opened.ok) return announce(`login of ${adapter}`, `A terminal is opened with the login of ${adapter}`)
    const { error } = opened
    const command = error.type === 'no_terminal' ? error.command : null
    showToast({
      title: 'The terminal was not opened',
      description:
        command === null
          ? runErrorText(error)
          : `${runErrorText(error)} The command for a terminal of yours: ${command}`,
      ...(command !== null && { action: { label: 'Copy command', onPress: () => copyCommand(command) } }),
    })
  }
  return { isBusy: program.isBusy, open: (adapter) => void open(adapter) }
}

function copyCommand(command: string): void {
  copyText(command)
  announce('clipboard', 'Command copied')
}
