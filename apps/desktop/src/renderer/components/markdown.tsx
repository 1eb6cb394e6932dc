import { memo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { classNames } from '../lib/class-names'
import { plainParagraphs } from '../lib/plain-paragraphs'
import { openExternal } from '../lib/shell'

export interface MarkdownProps {
  readonly text: string
  readonly className?: string | undefined
}

/*
 * Agents and forges write these texts, so they are hostile: no HTML, nothing is loaded, and a link shows where it
 * leads before the browser gets it.
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
          openExternal(href)
        }}
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
