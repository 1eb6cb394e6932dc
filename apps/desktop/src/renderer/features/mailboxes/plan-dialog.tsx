import { useRef } from 'react'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import { formatTime } from '@shared/format/times'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { Markdown } from '../../components/markdown'
import { useMinute } from '../../lib/clock'
import { ValidateButton } from './validate-button'

export interface PlanDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** `#128` */
  readonly reference: string
  readonly plan: NonNullable<MailboxDetail['plan']>
  readonly canValidate: boolean
  readonly isValidating: boolean
  readonly isValidatedOnForge: boolean
  readonly onValidate: () => void
}

function stateOf(plan: PlanDialogProps['plan'], canValidate: boolean, now: number): string {
  if (!plan.isApproved) return `Written ${formatTime(plan.createdAt, { now })}`
  return canValidate ? 'It was validated, and the issue was changed since.' : 'This plan is validated.'
}

/** The plan as the agent wrote it, to be read before it is validated. */
export function PlanDialog({
  isOpen,
  onOpenChange,
  reference,
  plan,
  canValidate,
  isValidating,
  isValidatedOnForge,
  onValidate,
}: PlanDialogProps) {
  const now = useMinute()
  const close = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={`Plan for ${reference}`}
      className="w-[680px]"
      initialFocus={close}
      test="plan-dialog"
      footer={
        <>
          <span className="grow text-12 text-ink-2">{stateOf(plan, canValidate, now)}</span>
          <Button ref={close} size="lg" label="Close" onClick={() => onOpenChange(false)} />
          {canValidate && (
            <ValidateButton
              size="lg"
              isOnForge={isValidatedOnForge}
              isBusy={isValidating}
              test="validate-plan-in-dialog"
              onClick={onValidate}
            />
          )}
        </>
      }
    >
      {plan.functionalAnalysis !== null && (
        <section className="mt-3">
          <h3 className="text-11 font-semibold text-ink-3">Functional analysis</h3>
          <Markdown text={plan.functionalAnalysis} className="mt-1" />
        </section>
      )}
      <section className="mt-3">
        <h3 className="text-11 font-semibold text-ink-3">Plan</h3>
        <Markdown text={plan.text} className="mt-1" />
      </section>
    </Dialog>
  )
}
