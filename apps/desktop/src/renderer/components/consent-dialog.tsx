import { ConfirmDialog } from './dialog'

export interface ConsentWords {
  readonly title: string
  /** What happens, and what it can do. */
  readonly text: string
  /** What else a person should know of it. */
  readonly note: string
  /** What exactly is agreed to, or why it is asked, word for word; empty where the text says it. */
  readonly details: readonly string[]
  readonly confirmLabel: string
}

export interface ConsentDialogProps extends ConsentWords {
  readonly isOpen: boolean
  readonly onCancel: () => void
  readonly onConfirm: () => void
}

/** Some things are not done before a person has said so, knowing what they mean. */
export function ConsentDialog({
  isOpen,
  title,
  text,
  note,
  details,
  confirmLabel,
  onCancel,
  onConfirm,
}: ConsentDialogProps) {
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
      test="consent-dialog"
      confirmTest="confirm-consent"
    >
      {details.length > 0 && (
        <ul className="mt-2 max-h-40 overflow-y-auto font-mono text-11 text-ink-3 selectable">
          {details.map((line) => (
            <li key={line} className="[overflow-wrap:anywhere]">
              {line}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-13 text-ink-2">{note}</p>
    </ConfirmDialog>
  )
}

/** What an agent on this computer itself goes without. */
export const noSessionsThere =
  'Sessions do not apply there, so every run starts fresh: the timeline shows No session instead of Resumed.'
