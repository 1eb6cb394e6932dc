import { useRef } from 'react'
import type { PendingPush } from '@shared/contract/mailboxes'
import { counted } from '@shared/format'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { DiffView } from '../../components/diff-view'
import { Notice } from '../../components/notice'

export interface PushDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** `#128` */
  readonly reference: string
  readonly push: PendingPush
  readonly isApproving: boolean
  readonly onApprove: () => void
}

/** All that a push would publish, to be read before somebody agrees to it. */
export function PushDialog({
  isOpen,
  onOpenChange,
  reference,
  push,
  isApproving,
  onApprove,
}: PushDialogProps) {
  const close = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={`Push for ${reference}`}
      className="w-[880px]"
      initialFocus={close}
      test="push-dialog"
      footer={
        <>
          <span className="cut grow text-12 text-ink-2">
            {`${counted(push.commits, 'commit')} for ${push.branch}`}
          </span>
          <Button ref={close} size="lg" label="Close" onClick={() => onOpenChange(false)} />
          <Button
            size="lg"
            variant="primary"
            icon="check"
            label="Push"
            spokenLabel={`Push for ${reference}`}
            isBusy={isApproving}
            disabledReason={push.problem}
            test="approve-push-in-dialog"
            onClick={onApprove}
          />
        </>
      }
    >
      <p className="mt-2 text-12 text-ink-2">A push runs these files with the project&apos;s secrets:</p>
      <ul className="mt-1 font-mono text-11" data-test="push-paths">
        {push.paths.map((path) => (
          <li key={path}>{path}</li>
        ))}
      </ul>
      {push.patch === null ? (
        <Notice tone="bad" icon="circle-x" className="mt-3" title="The diff could not be read.">
          {push.problem}
        </Notice>
      ) : (
        <div className="mt-3 flex h-[420px] flex-col">
          {push.patchIsCut && (
            <Notice tone="warn" icon="scissors" className="mb-2" title="The diff is cut.">
              It is larger than what can be shown here.
            </Notice>
          )}
          <DiffView patch={push.patch} test="push-diff" />
        </div>
      )}
    </Dialog>
  )
}
