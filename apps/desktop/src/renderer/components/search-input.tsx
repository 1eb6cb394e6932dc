import type { Ref } from 'react'
import { Icon } from './icon'
import { Kbd } from './kbd'

export interface SearchInputProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly keys?: string
  readonly ref?: Ref<HTMLInputElement>
  readonly className?: string
  readonly test?: string | undefined
}

/** Filters what is beside it while it is typed into; Esc empties it first. */
export function SearchInput({ label, value, onChange, keys, ref, className, test }: SearchInputProps) {
  return (
    <div className={`input ${className ?? ''}`}>
      <Icon name="search" size={14} className="text-ink-3" />
      <input
        ref={ref}
        type="text"
        aria-label={label}
        placeholder={label}
        value={value}
        spellCheck={false}
        data-test={test}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return
          event.stopPropagation()
          onChange('')
        }}
      />
      {keys && value === '' && <Kbd keys={keys} />}
    </div>
  )
}
