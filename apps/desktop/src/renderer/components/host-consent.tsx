import { ConfirmDialog } from './dialog'

export interface HostConsentProps {
  readonly isOpen: boolean
  readonly title: string
  /** What runs, and what it can do. */
  readonly text: string
  readonly confirmLabel: string
  /** Why no container can be used; empty where that is not why it is asked. */
  readonly reason?: string
  readonly onCancel: () => void
  readonly onConfirm: () => void
}

/** Nothing runs on this computer itself before a person has said so, knowing what it means. */
export function HostConsent({
  isOpen,
  title,
  text,
  confirmLabel,
  reason = '',
  onCancel,
  onConfirm,
}: HostConsentProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={title}
      text={text}
      cancelLabel="Cancel"
      confirmLabel={confirmLabel}
      confirmVariant="primary"
      onCancel={onCancel}
      onConfirm={onConfirm}
      test="host-consent"
      confirmTest="confirm-host"
    >
      <p className="mt-2 text-13 text-ink-2">
        Sessions do not apply there, so every run starts fresh: the timeline shows No session instead of
        Resumed.
      </p>
      {reason !== '' && <p className="mt-2 font-mono text-11 text-ink-3 selectable">{reason}</p>}
    </ConfirmDialog>
  )
}
