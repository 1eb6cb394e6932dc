import { AlertDialog as BaseAlert } from '@base-ui/react/alert-dialog'
import { Dialog as Base } from '@base-ui/react/dialog'
import { useRef, type ReactNode, type Ref, type RefObject } from 'react'
import { classNames } from '../lib/class-names'
import { Button, type ButtonProps } from './button'

export interface DialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly title: string
  readonly children: ReactNode
  readonly footer?: ReactNode
  /** What gets the focus: the safe choice. */
  readonly initialFocus?: RefObject<HTMLElement | null>
  readonly className?: string | undefined
  readonly test?: string | undefined
}

/** A dialog that can be left at any time. */
export function Dialog({
  isOpen,
  onOpenChange,
  title,
  children,
  footer,
  initialFocus,
  className,
  test,
}: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Popup className={classNames('dialog', className)} data-test={test} initialFocus={initialFocus}>
          <div className="dialog-body">
            <Base.Title className="text-16 font-semibold">{title}</Base.Title>
            {children}
          </div>
          {footer && <div className="dialog-foot">{footer}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

export interface DialogAnswersProps {
  readonly cancelLabel?: string
  readonly cancelRef?: Ref<HTMLButtonElement>
  readonly confirmLabel: string
  readonly confirmVariant?: ButtonProps['variant']
  /** What is missing yet; null: it can be done. */
  readonly disabledReason?: string | null
  readonly isBusy?: boolean
  readonly onCancel: () => void
  /** Absent in a form, which is sent. */
  readonly onConfirm?: () => void
  readonly confirmTest?: string | undefined
}

/** The two ways out of a dialog: back, and on. */
export function DialogAnswers({
  cancelLabel = 'Cancel',
  cancelRef,
  confirmLabel,
  confirmVariant = 'primary',
  disabledReason,
  isBusy,
  onCancel,
  onConfirm,
  confirmTest,
}: DialogAnswersProps) {
  return (
    <>
      <Button ref={cancelRef} size="lg" label={cancelLabel} onClick={onCancel} />
      <Button
        size="lg"
        variant={confirmVariant}
        type={onConfirm ? 'button' : 'submit'}
        label={confirmLabel}
        disabledReason={disabledReason}
        isBusy={isBusy}
        onClick={onConfirm}
        test={confirmTest}
      />
    </>
  )
}

export interface ConfirmDialogProps {
  readonly isOpen: boolean
  readonly title: string
  readonly text: string
  /** The way back, focused first. */
  readonly cancelLabel: string
  readonly confirmLabel: string
  readonly confirmVariant?: ButtonProps['variant']
  readonly isBusy?: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
  readonly test?: string | undefined
  readonly confirmTest?: string | undefined
  readonly children?: ReactNode
}

/** Asks before something that cannot be taken back; the safe choice has the focus. */
export function ConfirmDialog({
  isOpen,
  title,
  text,
  cancelLabel,
  confirmLabel,
  confirmVariant = 'danger-solid',
  isBusy = false,
  onConfirm,
  onCancel,
  test,
  confirmTest,
  children,
}: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <BaseAlert.Root open={isOpen} onOpenChange={(open) => !open && onCancel()}>
      <BaseAlert.Portal>
        <BaseAlert.Backdrop className="scrim" />
        <BaseAlert.Popup className="dialog w-[420px]" data-test={test} initialFocus={cancel}>
          <div className="dialog-body">
            <BaseAlert.Title className="text-16 font-semibold">{title}</BaseAlert.Title>
            <BaseAlert.Description className="mt-1 text-13 text-ink-2">{text}</BaseAlert.Description>
            {children}
          </div>
          <div className="dialog-foot">
            <DialogAnswers
              cancelLabel={cancelLabel}
              cancelRef={cancel}
              confirmLabel={confirmLabel}
              confirmVariant={confirmVariant}
              isBusy={isBusy}
              onCancel={onCancel}
              onConfirm={onConfirm}
              confirmTest={confirmTest}
            />
          </div>
        </BaseAlert.Popup>
      </BaseAlert.Portal>
    </BaseAlert.Root>
  )
}
