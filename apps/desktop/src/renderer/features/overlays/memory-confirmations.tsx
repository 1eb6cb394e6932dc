import { counted, shortId } from '@shared/format'
import { ConfirmDialog } from '../../components/dialog'
import { announce } from '../../lib/announcer'
import { closeOverlay, type HandledMemory } from '../../lib/overlays'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { errorText } from './strings'

const nameOf = ({ letter, nativeId }: HandledMemory): string =>
  letter === null ? `the memory ${shortId(nativeId)}` : `memory ${letter}`

/** A memory that is not to be asked for any more. */
export function DropMemoryConfirm({ memory }: { readonly memory: HandledMemory }) {
  const drop = useCommand('sessions.drop')
  const confirm = async (): Promise<void> => {
    const result = await drop.run({ sessionId: memory.sessionId })
    closeOverlay()
    if (!result.ok) {
      showToast({ title: `${capital(nameOf(memory))} was not dropped`, description: errorText(result.error) })
      return
    }
    announce('memory', `${capital(nameOf(memory))} is dropped`)
    showToast({
      title: `${capital(nameOf(memory))} is dropped`,
      description:
        result.value.nextSessionId === null
          ? 'The next run starts fresh.'
          : 'The next run goes on with the newest memory that is left.',
    })
  }
  return (
    <ConfirmDialog
      isOpen
      title={`Drop ${nameOf(memory)}?`}
      text="No run goes on with it by itself any more: the next one takes the newest memory that is left, or starts fresh. Its state stays until the issue is cleaned up, and a run that you tell to go on with it takes it back into use."
      cancelLabel="Keep it"
      confirmLabel="Drop memory"
      confirmVariant="primary"
      isBusy={drop.isBusy}
      onCancel={closeOverlay}
      onConfirm={() => void confirm()}
      test="drop-memory-dialog"
      confirmTest="confirm-drop-memory"
    />
  )
}

/** A memory of which a copy is to be gone on with. */
export function ForkMemoryConfirm({ memory }: { readonly memory: HandledMemory }) {
  const fork = useCommand('sessions.fork')
  const confirm = async (): Promise<void> => {
    const result = await fork.run({ sessionId: memory.sessionId })
    closeOverlay()
    if (!result.ok) {
      showToast({ title: `${capital(nameOf(memory))} was not forked`, description: errorText(result.error) })
      return
    }
    const { recordsLeftOut } = result.value
    announce('memory', `${capital(nameOf(memory))} is forked`)
    if (recordsLeftOut > 0)
      showToast({
        title: `${capital(nameOf(memory))} is forked`,
        description: `${counted(recordsLeftOut, 'record')} could not be read and were left out.`,
      })
  }
  return (
    <ConfirmDialog
      isOpen
      title={`Fork ${nameOf(memory)}?`}
      text="What can be read of it is copied under a new id, and the next run goes on with the copy. The memory itself is left as it is."
      cancelLabel="Cancel"
      confirmLabel="Fork memory"
      confirmVariant="primary"
      isBusy={fork.isBusy}
      onCancel={closeOverlay}
      onConfirm={() => void confirm()}
      test="fork-memory-dialog"
      confirmTest="confirm-fork-memory"
    />
  )
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
