import { useState } from 'react'

export interface OutputBoxProps {
  readonly text: string
  readonly lineCount: number
  readonly isTabStop: boolean
  readonly label?: string
}

/** Lines shown before "Show all". */
const firstLines = 40

/** What a program printed: in place up to twelve lines, then it scrolls in its box. */
export function OutputBox({ text, lineCount, isTabStop, label = 'Output' }: OutputBoxProps) {
  const [isWhole, setWhole] = useState(false)
  const isCut = lineCount > firstLines && !isWhole
  return (
    <>
      {/* Long lines and long texts scroll inside of it, so it can be reached without a mouse. */}
      <pre
        className="output-box"
        role="region"
        aria-label={label}
        data-whole={isWhole ? '' : undefined}
        tabIndex={isTabStop ? 0 : -1}
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
