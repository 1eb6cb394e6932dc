import type { ReactNode } from 'react'
import { DialogAnswers } from '../../components/dialog'

/** The form of a dialog that makes something: its fields, what went wrong, and the two ways out. */
export function CreateForm({
  children,
  problem,
  disabledReason,
  isBusy,
  onSubmit,
  onCancel,
  test,
}: {
  readonly children: ReactNode
  /** Why the last try made nothing. */
  readonly problem: string | null
  /** What is missing yet; null: it can be made. */
  readonly disabledReason: string | null
  readonly isBusy: boolean
  readonly onSubmit: () => void
  readonly onCancel: () => void
  /** Of the button that makes it. */
  readonly test: string
}) {
  return (
    <form
      className="mt-3 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      {problem !== null && (
        <p role="alert" className="text-12 text-bad">
          {problem}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <DialogAnswers
          confirmLabel="Create"
          isBusy={isBusy}
          disabledReason={disabledReason}
          confirmTest={test}
          onCancel={onCancel}
        />
      </div>
    </form>
  )
}
