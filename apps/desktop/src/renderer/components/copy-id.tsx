import { useEffect, useState } from 'react'
import { classNames } from '../lib/class-names'
import { copyText } from '../lib/shell'
import { Icon } from './icon'

export interface CopyIdProps {
  /** What is copied. */
  readonly id: string
  /** What is shown: the short form, or the id itself. */
  readonly text: string
  /** What it is, for screen readers: "session id". */
  readonly what: string
  readonly className?: string | undefined
  readonly test?: string | undefined
  readonly isTabStop?: boolean
}

const copiedForMs = 1_500

/** An id that a click or Enter copies whole, whatever short form is shown. */
export function CopyId({ id, text, what, className, test, isTabStop = true }: CopyIdProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), copiedForMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <button
      type="button"
      className={classNames('copy-id', className)}
      data-test={test}
      data-value={id}
      data-state={isCopied ? 'copied' : 'rest'}
      title={id}
      tabIndex={isTabStop ? undefined : -1}
      // with what is shown in it, so that it can be found by voice; the title says the rest
      aria-label={isCopied ? `Copied ${what} ${text}` : `Copy ${what} ${text}`}
      onClick={(event) => {
        event.stopPropagation()
        copyText(id)
        setCopied(true)
      }}
    >
      <span className="cut">{isCopied ? 'Copied' : text}</span>
      <Icon name={isCopied ? 'check' : 'copy'} size={12} />
    </button>
  )
}
