import { Button, type ButtonProps } from '../../components/button'
import type { PushAnswers } from './use-pending-push'

/** The answers to a push that waits; discarding asks first. */
export function PushButtons({
  answers,
  size,
}: {
  readonly answers: PushAnswers
  readonly size: NonNullable<ButtonProps['size']>
}) {
  const { isBusy, isOfChat, problem } = answers
  const common = { size, isBusy, disabledReason: problem }
  return (
    <>
      <Button
        {...common}
        variant="danger"
        icon="trash"
        label="Discard…"
        test="discard-push"
        onClick={() => answers.open('discard')}
      />
      <Button
        {...common}
        label="Go on without"
        title={isOfChat ? 'Keeps the commits aside' : 'Keeps the commits aside and does the phase again'}
        test="go-on-without-push"
        onClick={answers.goOnWithout}
      />
      <Button
        {...common}
        variant="primary"
        icon="check"
        label="Push"
        test="approve-push"
        onClick={answers.approve}
      />
    </>
  )
}
