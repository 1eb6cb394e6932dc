import { useRef } from 'react'
import { counted } from '@shared/format'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { DiffView } from '../../components/diff-view'
import { Notice } from '../../components/notice'
import { PushButtons } from './push-buttons'
import type { PushAnswers } from './use-pending-push'

export interface PushDialogProps {
  /** `#128` */
  readonly reference: string
  readonly answers: PushAnswers
}

/** All that a push would publish, to be read before somebody agrees to it. */
export function PushDialog({ reference, answers }: PushDialogProps) {
  const { push } = answers
  const close = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      isOpen={answers.dialog === 'diff'}
      onOpenChange={(isOpen) => answers.open(isOpen ? 'diff' : null)}
      title={`Push for ${reference}`}
      className="w-[880px]"
      initialFocus={close}
      test="push-dialog"
      footer={
        <>
          <span className="cut grow text-12 text-ink-2">
            {`${counted(push.commits, 'commit')} for ${push.branch}`}
          </span>
          <Button ref={close} size="lg" label="Close" onClick={() => answers.open(null)} />
          <PushButtons answers={answers} size="lg" />
        </>
      }
    >
      {answers.isOfChat && (
        <p className="mt-2 text-12 text-ink-2">
          These commits were made in a chat. Nothing of them was pushed.
        </p>
      )}
      {push.paths.length > 0 && (
        <>
          <p className="mt-2 text-12 text-ink-2">
            These wait for you: files that a push runs with the project&apos;s secrets, and messages that
            close other issues.
          </p>
          <ul className="mt-1 font-mono text-11" data-test="push-paths">
            {push.paths.map((path) => (
              <li key={path}>{path}</li>
            ))}
          </ul>
        </>
      )}
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
