import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon'
import { LiveDot } from './live-dot'
import { ThreadMotif, type ThreadMotifKind } from './thread-motif'

export interface EmptyStateProps {
  readonly motif: { readonly thread: ThreadMotifKind } | { readonly icon: IconName } | { readonly live: true }
  readonly title: string
  /** One sentence: why it is empty, and what comes by itself. */
  readonly children?: ReactNode
  /** At most two buttons. */
  readonly actions?: ReactNode
  readonly test?: string | undefined
}

export function EmptyState({ motif, title, children, actions, test }: EmptyStateProps) {
  return (
    <div
      className="flex grow flex-col items-center justify-center gap-1 px-7 py-4 text-center"
      data-test={test}
    >
      {'thread' in motif && <ThreadMotif kind={motif.thread} />}
      {'icon' in motif && <Icon name={motif.icon} size={28} className="my-0.5 text-ink-3" />}
      {'live' in motif && <LiveDot className="m-2.5 size-3" />}
      <h3 className="mt-1.5 text-14 font-semibold">{title}</h3>
      {children && <p className="max-w-[300px] text-12 leading-[18px] text-balance text-ink-2">{children}</p>}
      {actions && <div className="mt-2.5 flex flex-wrap items-center justify-center gap-2">{actions}</div>}
    </div>
  )
}
