import type { ReactNode } from 'react'
import { Button } from '../../components/button'
import { Icon, type IconName } from '../../components/icon'
import { bridge } from '../../lib/bridge'
import { copyText } from '../../lib/shell'

interface Props {
  readonly test: string
  readonly icon: IconName
  readonly tone: 'ok' | 'warn' | 'bad'
  readonly title: string
  readonly paragraphs: readonly string[]
  readonly facts: readonly (readonly [string, string])[]
  /** What "Copy details" copies. */
  readonly details: unknown
  /** The buttons that lead on. */
  readonly children: ReactNode
}

const toneClass = { ok: 'text-ok', warn: 'text-warn', bad: 'text-bad' } as const

/** A card alone in the window, while there is no engine. */
export function NoticeCard({ test, icon, tone, title, paragraphs, facts, details, children }: Props) {
  return (
    <main
      className="grid min-w-0 flex-1 place-items-center overflow-y-auto bg-bg p-8"
      data-test={test}
      role="alert"
    >
      <div className="w-[520px] max-w-full overflow-hidden rounded-panel border border-line-strong bg-surface shadow-1">
        <div className="flex gap-3 p-6 pb-5">
          <Icon name={icon} size={22} className={toneClass[tone]} />
          <div className="min-w-0 grow">
            <h1 className="text-16 font-semibold">{title}</h1>
            {paragraphs.map((text) => (
              <p key={text} className="mt-1 text-13 text-ink-2">
                {text}
              </p>
            ))}
            {facts.length > 0 && (
              <dl className="kv mt-3">
                {facts.map(([term, value]) => (
                  <div key={term} className="contents">
                    <dt className="[overflow-wrap:anywhere]">{term}</dt>
                    <dd className="[overflow-wrap:anywhere]">{value}</dd>
                  </div>
                ))}
              </dl>
            )}
          </div>
        </div>
        <div className="flex flex-wrap justify-end gap-2 border-t border-line bg-bg px-4 py-3">
          <Button
            variant="quiet"
            size="lg"
            icon="copy"
            label="Copy details"
            onClick={() => copyText(JSON.stringify(details, null, 2))}
          />
          <span className="grow" />
          <Button
            size="lg"
            icon="folder"
            label="Open the data folder"
            onClick={() => bridge().shell.showDataFolder()}
          />
          {children}
        </div>
      </div>
    </main>
  )
}
