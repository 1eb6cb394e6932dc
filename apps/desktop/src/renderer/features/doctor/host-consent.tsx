import { ConfirmDialog } from '../../components/dialog'

export interface HostConsentProps {
  readonly isOpen: boolean
  /** Why no container can be used. */
  readonly reason: string
  readonly onCancel: () => void
  readonly onConfirm: () => void
}

/** Nothing runs on this computer itself before a person has said so, knowing what it means. */
export function HostConsent({ isOpen, reason, onCancel, onConfirm }: HostConsentProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Docker does not answer. Run the demo on this computer?"
      text="The demo agent is a small program of Alfred. Without a container it runs as your user, without a sandbox, in a home folder of its own inside Alfred's data folder."
      cancelLabel="Cancel"
      confirmLabel="Run it here"
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
