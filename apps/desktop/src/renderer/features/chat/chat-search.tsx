import { useEffect, useRef } from 'react'
import { Button } from '../../components/button'
import { SearchInput } from '../../components/search-input'

export interface ChatSearchProps {
  readonly text: string
  /** Turns in which it was said; null: nothing is looked for yet. */
  readonly found: number | null
  readonly total: number
  /** null: the search ends. */
  readonly onChange: (text: string | null) => void
}

/** Shows only the turns in which the words were said. */
export function ChatSearch({ text, found, total, onChange }: ChatSearchProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Esc of the input inside
    <div
      className="chat-search"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onChange(null)
      }}
    >
      <SearchInput
        ref={input}
        label="Search in this chat"
        value={text}
        onChange={onChange}
        className="w-[280px]"
        test="chat-search"
      />
      <span
        className="text-12 text-ink-2"
        role="status"
        data-test="chat-search-count"
        data-value={found ?? ''}
      >
        {found === null ? '' : `${found} of ${total} turns`}
      </span>
      <span className="grow" />
      <Button
        size="sm"
        variant="quiet"
        isIconOnly
        icon="x"
        label="End the search"
        onClick={() => onChange(null)}
      />
    </div>
  )
}
