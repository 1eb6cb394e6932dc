import { useId, type ReactNode, type Ref } from 'react'
import { Icon, type IconName } from '../../components/icon'

export type FieldTone = 'ok' | 'warn' | 'bad' | 'run' | 'quiet'

export interface FieldLine {
  readonly tone: FieldTone
  readonly text: string
}

export interface FieldProps {
  readonly label: string
  /** What it is for, beside the label. */
  readonly hint?: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** The field was left, or Enter was pressed in it. */
  readonly onLeave: () => void
  readonly placeholder?: string
  readonly isSecret?: boolean
  readonly isInvalid?: boolean
  /** What the last check found. */
  readonly lines: readonly FieldLine[]
  readonly inputRef?: Ref<HTMLInputElement>
  readonly test: string
  readonly children?: ReactNode
}

const looks: Readonly<Record<FieldTone, { readonly icon: IconName; readonly className: string }>> = {
  ok: { icon: 'check', className: 'text-ok' },
  warn: { icon: 'warning', className: 'text-warn' },
  bad: { icon: 'circle-x', className: 'text-bad' },
  run: { icon: 'circle-dashed', className: 'text-run' },
  quiet: { icon: 'info', className: 'text-ink-3' },
}

/** A line of text that is checked as it is left, with what was found below it. */
export function Field(props: FieldProps) {
  const { label, hint, value, onChange, onLeave, placeholder, isSecret = false, isInvalid = false } = props
  const { lines, inputRef, test, children } = props
  const id = useId()
  return (
    <div className="grid gap-1">
      <div className="flex items-baseline gap-2">
        <label htmlFor={id} className="text-12 font-medium">
          {label}
        </label>
        {hint && <span className="cut text-11 text-ink-3">{hint}</span>}
      </div>
      <input
        ref={inputRef}
        id={id}
        className="input w-full font-mono"
        type={isSecret ? 'password' : 'text'}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        aria-invalid={isInvalid || undefined}
        aria-describedby={`${id}-found`}
        data-test={test}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onLeave}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onLeave()
          // Once leaves the field, twice the screen: keys of the window do nothing in a text.
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      <div id={`${id}-found`} role="status" className="grid gap-0.5" data-test={`${test}-found`}>
        {lines.map(({ tone, text }) => (
          <p key={text} className="flex items-start gap-1.5 text-12 leading-[17px]" data-tone={tone}>
            <Icon
              name={looks[tone].icon}
              size={14}
              className={`mt-[1.5px] flex-none ${looks[tone].className}`}
            />
            <span className={tone === 'bad' ? 'text-bad' : 'text-ink-2'}>{text}</span>
          </p>
        ))}
      </div>
      {children}
    </div>
  )
}
