import { useRef, useState, type ReactNode } from 'react'
import { Button } from '../../components/button'
import { Markdown } from '../../components/markdown'
import { Segmented } from '../../components/segmented'

export interface TextEditorProps {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
  /** Ctrl Enter and the primary button. */
  readonly onSubmit: () => void
  readonly submitLabel: string
  readonly isBusy: boolean
  /** Why it cannot be sent now. */
  readonly submitReason?: string | null
  readonly problem: string | null
  readonly onCancel?: (() => void) | undefined
  readonly rows?: number
  readonly isFocused?: boolean
  readonly children?: ReactNode
  readonly test?: string
  readonly submitTest?: string
}

/** Markdown that is written and looked at before it is sent. */
export function TextEditor(props: TextEditorProps) {
  const {
    label,
    text,
    onChange,
    onSubmit,
    submitLabel,
    isBusy,
    submitReason = null,
    problem,
    onCancel,
    rows = 5,
    isFocused,
    children,
    test,
    submitTest,
  } = props
  const [isPreview, setPreview] = useState(false)
  const input = useRef<HTMLTextAreaElement>(null)
  return (
    <div className="grid gap-2">
      {isPreview ? (
        <div className="min-h-20 rounded-control border border-line bg-surface px-2 py-1.5">
          {text.trim() === '' ? (
            <p className="text-12 text-ink-3">Nothing written yet.</p>
          ) : (
            <Markdown text={text} />
          )}
        </div>
      ) : (
        <textarea
          ref={input}
          className="input"
          aria-label={label}
          placeholder={label}
          rows={rows}
          data-test={test}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it opens because the person asked to write
          autoFocus={isFocused}
          value={text}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submitReason === null) {
              event.preventDefault()
              onSubmit()
            } else if (event.key === 'Escape' && onCancel) {
              event.preventDefault()
              event.stopPropagation()
              onCancel()
            }
          }}
        />
      )}
      {problem !== null && (
        <p role="alert" className="text-11 text-bad">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          label="Write or preview"
          value={isPreview ? 'preview' : 'write'}
          onChange={(next) => setPreview(next === 'preview')}
          options={[
            { value: 'write', label: 'Write' },
            { value: 'preview', label: 'Preview' },
          ]}
        />
        {children}
        <span className="grow" />
        {onCancel && <Button label="Cancel" onClick={onCancel} />}
        <Button
          variant="primary"
          label={submitLabel}
          keys="Ctrl+Enter"
          isBusy={isBusy}
          disabledReason={submitReason}
          test={submitTest}
          onClick={onSubmit}
        />
      </div>
    </div>
  )
}
