import { useEffect, type RefObject } from 'react'
import { SearchInput } from '../components/search-input'
import { focusStopOf } from '../lib/panes'
import { setListText } from './list-text'

export interface NarrowFilterProps {
  readonly text: string
  readonly inputRef: RefObject<HTMLInputElement | null>
  /** Somebody asked to type; else it stands there because the list is filtered. */
  readonly isAsked: boolean
  readonly onLeave: () => void
}

/** Filters the list in a window without a sidebar; above its rows while there is something to tell or to type. */
export function NarrowFilter({ text, inputRef, isAsked, onLeave }: NarrowFilterProps) {
  useEffect(() => {
    if (isAsked) inputRef.current?.focus()
  }, [isAsked, inputRef])
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Esc and Enter of the input inside
    <div
      className="flex-none border-b border-line px-2.5 py-1.5"
      onBlur={() => text === '' && onLeave()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && event.key !== 'Enter') return
        event.preventDefault()
        event.stopPropagation()
        focusStopOf('mailboxes')
        onLeave()
      }}
    >
      <SearchInput
        ref={inputRef}
        label="Filter this list"
        value={text}
        onChange={setListText}
        test="filter-text"
      />
    </div>
  )
}
