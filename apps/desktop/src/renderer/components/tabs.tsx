import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

export interface TabsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly onChange: (value: T) => void
  readonly tabs: readonly {
    readonly value: T
    readonly label: string
    readonly count?: number | string | null
    readonly test?: string
  }[]
  /** Beside the tabs, at the far end of their line. */
  readonly trailing?: ReactNode
  /** The panel of the chosen tab. */
  readonly children: ReactNode
  readonly className?: string
}

export function Tabs<T extends string>({
  label,
  value,
  onChange,
  tabs,
  trailing,
  children,
  className,
}: TabsProps<T>) {
  return (
    <Base.Root value={value} onValueChange={(next: T) => onChange(next)} className={className}>
      <div className="tabs-line">
        <Base.List className="tabs-list" aria-label={label}>
          {tabs.map((tab) => (
            <Base.Tab key={tab.value} value={tab.value} className="tabs-tab" data-test={tab.test}>
              {tab.label}
              {tab.count != null && <span className="count">{tab.count}</span>}
            </Base.Tab>
          ))}
        </Base.List>
        {trailing}
      </div>
      <Base.Panel value={value} className="flex min-h-0 grow flex-col" tabIndex={-1}>
        {children}
      </Base.Panel>
    </Base.Root>
  )
}
