import type { ReactNode } from 'react'
import type { IconName } from './icon'
import { Notice, type NoticeTone } from './notice'

export interface BannerProps {
  readonly tone: NoticeTone
  readonly icon: IconName
  readonly title: string
  readonly children: ReactNode
  readonly actions?: ReactNode
  /** How many more wait behind this one. */
  readonly moreCount?: number
  readonly test?: string | undefined
}

/** The worst thing that is true now, above all panes; it goes when it is not true any more. */
export function Banner({ tone, icon, title, children, actions, moreCount = 0, test }: BannerProps) {
  return (
    <div className="border-b border-line bg-bg px-3 py-2">
      <Notice
        tone={tone}
        icon={icon}
        title={title}
        isAlert={tone === 'bad'}
        className="items-center rounded-[8px]"
        test={test}
        actions={
          <>
            {moreCount > 0 && <span className="count">+{moreCount} more</span>}
            {actions}
          </>
        }
      >
        {children}
      </Notice>
    </div>
  )
}
