import { memo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { classNames } from '../lib/class-names'
import { plainParagraphs } from '../lib/plain-paragraphs'
import { openOverlay } from '../lib/overlays'

export interface MarkdownProps {
  readonly text: string
  readonly className?: string | undefined
}

/*
 * Agents and forges write these texts, so they are hostile: no HTML, nothing is loaded, and a person is asked with the
 * whole address before the browser gets a link.
 */

const parts: Components = {
  a: ({ href, children }) =>
    href === undefined || !/^https?:\/\//i.test(href) ? (
      <span>{children}</span>
    ) : (
      <a
        href={href}
        title={href}
        onClick={(event) => {
          event.preventDefault()
          openOverlay({ kind: 'open-link', url: href })
        }}
        // the middle button would open it without a word
        onAuxClick={(event) => event.preventDefault()}
      >
        {children}
      </a>
    ),
  img: ({ alt, src }) => (
    <span className="text-ink-3">{alt ? `[image: ${alt}]` : `[image${src ? `: ${String(src)}` : ''}]`}</span>
  ),
  input: ({ checked }) => <span aria-label={checked ? 'done' : 'to do'}>{checked ? '☑' : '☐'}</span>,
}

const plugins = { remark: [remarkGfm], rehype: [rehypeSanitize] }

/** Text of an issue, a comment or an agent. */
export const Markdown = memo(function Markdown({ text, className }: MarkdownProps) {
  const paragraphs = plainParagraphs(text)
  if (paragraphs !== null) {
    return (
      <div className={classNames('markdown', className)}>
        {paragraphs.map((paragraph, index) => (
          <p key={index}>{paragraph}</p>
        ))}
      </div>
    )
  }
  return (
    <div className={classNames('markdown', className)}>
      <ReactMarkdown
        components={parts}
        remarkPlugins={plugins.remark}
        rehypePlugins={plugins.rehype}
        skipHtml
      >
        {text}
      </ReactMarkdown>
    </div>
  )
})
