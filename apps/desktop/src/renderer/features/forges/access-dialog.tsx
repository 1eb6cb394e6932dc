import { useRef, useState } from 'react'
import type { ConnectedForge } from '@shared/contract/forges'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { useCommand } from '../../lib/use-command'
import { Field, type FieldLine } from './field'
import { forgeProblem } from './forge-problem'

export interface AccessDialogProps {
  readonly forge: ConnectedForge
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

/** Another token of the same account, or another CA file; both are tried before they count. */
export function AccessDialog({ forge, isOpen, onOpenChange }: AccessDialogProps) {
  const [token, setToken] = useState('')
  const [caFile, setCaFile] = useState(forge.caFile ?? '')
  const change = useCommand('forges.change')
  const input = useRef<HTMLInputElement>(null)
  const isWithoutKeyring = change.error?.type === 'no_keyring'
  const isAboutFile = change.error?.type === 'certificate' || change.error?.type === 'certificate_file'
  const isSame = token.trim() === '' && caFile.trim() === (forge.caFile ?? '')
  const save = async (): Promise<void> => {
    const changed = await change.run({
      forgeId: forge.forgeId,
      token: token.trim() === '' ? null : token,
      caFile: caFile.trim() === '' ? null : caFile.trim(),
      mayKeepInFile: isWithoutKeyring,
    })
    if (!changed.ok) return
    setToken('')
    onOpenChange(false)
  }
  const problem: readonly FieldLine[] =
    change.error === null
      ? []
      : isWithoutKeyring
        ? [
            {
              tone: 'warn',
              text: 'No system keyring was found. The token would be stored in a file that only your user can read.',
            },
          ]
        : [{ tone: 'bad', text: forgeProblem(change.error) }]
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={`Access to ${forge.name}`}
      initialFocus={input}
      test="access-dialog"
      footer={
        <>
          <Button size="lg" label="Cancel" onClick={() => onOpenChange(false)} />
          <Button
            size="lg"
            variant="primary"
            label={isWithoutKeyring ? 'Use the file' : 'Save'}
            isBusy={change.isBusy}
            disabledReason={isSame ? 'Nothing is changed yet.' : null}
            test="save-access"
            onClick={() => void save()}
          />
        </>
      }
    >
      <div className="mt-3 grid gap-3">
        <Field
          inputRef={input}
          label="New token"
          hint={`of ${forge.accountLogin}; empty keeps the one there is`}
          isSecret
          value={token}
          onChange={setToken}
          onLeave={() => undefined}
          isInvalid={problem.length > 0 && !isAboutFile && !isWithoutKeyring}
          lines={isAboutFile ? [] : problem}
          test="new-token"
        />
        <Field
          label="CA file"
          hint="empty for none"
          value={caFile}
          onChange={setCaFile}
          onLeave={() => undefined}
          isInvalid={isAboutFile}
          lines={isAboutFile ? problem : []}
          test="new-ca"
        />
      </div>
    </Dialog>
  )
}
