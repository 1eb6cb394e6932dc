import { useRef, useState } from 'react'
import type { ConnectedForge } from '@shared/contract/forges'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { useCommand } from '../../lib/use-command'
import { Field } from './field'
import { forgeProblem } from './forge-problem'

export interface TokenDialogProps {
  readonly forge: ConnectedForge
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

/** Another token of the same account; it is checked before it takes the place of the old one. */
export function TokenDialog({ forge, isOpen, onOpenChange }: TokenDialogProps) {
  const [token, setToken] = useState('')
  const replace = useCommand('forges.replaceToken')
  const input = useRef<HTMLInputElement>(null)
  const save = async (): Promise<void> => {
    // The file was agreed to with the first token, or there is a keyring.
    const mayKeepInFile = replace.error?.type === 'no_keyring'
    const replaced = await replace.run({ forgeId: forge.forgeId, token, mayKeepInFile })
    if (!replaced.ok) return
    setToken('')
    onOpenChange(false)
  }
  const isWithoutKeyring = replace.error?.type === 'no_keyring'
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={`New token for ${forge.name}`}
      initialFocus={input}
      test="token-dialog"
      footer={
        <>
          <Button size="lg" label="Cancel" onClick={() => onOpenChange(false)} />
          <Button
            size="lg"
            variant="primary"
            label={isWithoutKeyring ? 'Use the file' : 'Save'}
            isBusy={replace.isBusy}
            disabledReason={token.trim() === '' ? 'Paste a token.' : null}
            test="save-token"
            onClick={() => void save()}
          />
        </>
      }
    >
      <div className="mt-3">
        <Field
          inputRef={input}
          label="Token"
          hint={`of ${forge.accountLogin}`}
          isSecret
          value={token}
          onChange={setToken}
          onLeave={() => undefined}
          isInvalid={replace.error !== null}
          lines={
            isWithoutKeyring
              ? [
                  {
                    tone: 'warn',
                    text: 'No system keyring was found. The token would be stored in a file that only your user can read.',
                  },
                ]
              : replace.error === null
                ? []
                : [{ tone: 'bad', text: forgeProblem(replace.error) }]
          }
          test="new-token"
        />
      </div>
    </Dialog>
  )
}
