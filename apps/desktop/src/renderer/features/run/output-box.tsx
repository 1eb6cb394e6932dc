import { useState } from 'react'

export interface OutputBoxProps {
  readonly text: string
  readonly lineCount: number
  readonly isTabStop: boolean
  readonly label?: string
}

/** Lines shown before "Show all". */
const firstLines = 40
/** Lines and characters that have room in the narrowest box. */
const room = { lines: 12, characters: 60 } as const

/** A box that may scroll is reached by keys too, whatever row is the list's tab stop. */
const scrolls = (text: string, lineCount: number): boolean =>
  lineCount > room.lines || text.split('\n', firstLines).some((line) => line.length > room.characters)

/** What a program printed: in place up to twelve lines, then it scrolls in its box. */
export function OutputBox({ text, lineCount, isTabStop, label = 'Output' }: OutputBoxProps) {
  const [isWhole, setWhole] = useState(false)
  const isCut = lineCount > firstLines && !isWhole
  return (
    <>
      <pre
        className="output-box"
        aria-label={label}
        data-whole={isWhole ? '' : undefined}
        {...(scrolls(text, lineCount) ? { role: 'region', tabIndex: 0 } : {})}
      >
        {isCut ? text.split('\n', firstLines).join('\n') : text}
      </pre>
      {isCut && (
        <button
          type="button"
          className="link mt-1 text-11"
          tabIndex={isTabStop ? 0 : -1}
          onClick={() => setWhole(true)}
        >
          {`Show all ${lineCount.toLocaleString('en')} lines`}
        </button>
      )}
    </>
  )
}
