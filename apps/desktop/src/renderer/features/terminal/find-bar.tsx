import { useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button'
import { SearchInput } from '../../components/search-input'

export interface FindBarProps {
  /** False: it is not there. */
  readonly onFind: (text: string, direction: 'next' | 'previous') => boolean
  readonly onEnd: () => void
}

/** Finds words in what the terminal has shown, from its end upward. */
export function FindBar({ onFind, onEnd }: FindBarProps) {
  const [text, setText] = useState('')
  const [isFound, setFound] = useState(true)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const find = (wanted: string, direction: 'next' | 'previous'): void =>
    setFound(wanted === '' || onFind(wanted, direction))
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Esc and Enter of the input inside
    <div
      className="terminal-find"
      onKeyDown={(event) => {
        if (event.key === 'Enter') find(text, event.shiftKey ? 'next' : 'previous')
        else if (event.key === 'Escape') onEnd()
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <SearchInput
        ref={input}
        label="Find in this terminal"
        value={text}
        onChange={(value) => {
          setText(value)
          find(value, 'previous')
        }}
        className="w-72"
        test="terminal-search"
      />
      <span className="text-11 text-ink-3" role="status">
        {isFound ? '' : 'nothing found'}
      </span>
      <Button size="sm" label="Previous" onClick={() => find(text, 'previous')} />
      <Button size="sm" label="Next" onClick={() => find(text, 'next')} />
      <Button size="sm" variant="quiet" isIconOnly icon="x" label="Close the search" onClick={onEnd} />
    </div>
  )
}
