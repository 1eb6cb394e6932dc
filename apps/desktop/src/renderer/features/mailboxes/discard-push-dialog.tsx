import { counted } from '@shared/format'
import { ConfirmDialog } from '../../components/dialog'
import type { PushAnswers } from './use-pending-push'

/** Asks before commits are thrown away. */
export function DiscardPushDialog({
  answers,
  reference,
}: {
  readonly answers: PushAnswers
  /** `#128` */
  readonly reference: string
}) {
  const commits = counted(answers.push.commits, 'commit')
  return (
    <ConfirmDialog
      isOpen={answers.dialog === 'discard'}
      title={`Discard ${commits} of ${reference}?`}
      text={`They were not pushed and lie nowhere else: they cannot be brought back. ${
        answers.isOfChat
          ? 'Runs of the issue go on.'
          : 'The issue stays blocked until you say what comes next.'
      }`}
      cancelLabel="Keep them"
      confirmLabel="Discard"
      isBusy={answers.isBusy}
      onCancel={() => answers.open(null)}
      onConfirm={answers.discard}
      test="discard-push-dialog"
      confirmTest="confirm-discard-push"
    />
  )
}
