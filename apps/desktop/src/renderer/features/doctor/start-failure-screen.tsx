import type { StartFailure } from '@shared/contract/shell-bridge'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { bridge } from '../../lib/bridge'
import { copyText } from '../../lib/shell'
import { failureCard } from './start-failure-words'

/** Instead of everything else, when `shell.startFailure` is not null: why there is no engine, and what to do. */
export function StartFailureScreen({ failure }: { readonly failure: StartFailure }) {
  const card = failureCard(failure)
  return (
    <main
      className="grid min-w-0 flex-1 place-items-center overflow-y-auto bg-bg p-8"
      data-test={card.test}
      role="alert"
    >
      <div className="w-[460px] max-w-full overflow-hidden rounded-panel border border-line-strong bg-surface shadow-1">
        <div className="flex gap-3 p-6 pb-5">
          <Icon name={card.icon} size={22} className={card.tone === 'bad' ? 'text-bad' : 'text-warn'} />
          <div className="min-w-0 grow">
            <h1 className="text-16 font-semibold">{card.title}</h1>
            <p className="mt-1 text-13 text-ink-2">{card.text}</p>
            {card.facts.length > 0 && (
              <dl className="kv mt-3">
                {card.facts.map(([term, value]) => (
                  <div key={term} className="contents">
                    <dt>{term}</dt>
                    <dd className="[overflow-wrap:anywhere]">{value}</dd>
                  </div>
                ))}
              </dl>
            )}
          </div>
        </div>
        <div className="flex justify-end gap-2 border-t border-line bg-bg px-4 py-3">
          <Button
            variant="quiet"
            size="lg"
            icon="copy"
            label="Copy details"
            onClick={() => copyText(JSON.stringify(failure, null, 2))}
          />
          <span className="grow" />
          <Button
            size="lg"
            icon="folder"
            label="Open the data folder"
            onClick={() => bridge().shell.showDataFolder()}
          />
          <Button size="lg" variant="primary" label="Quit" onClick={() => bridge().shell.quit()} />
        </div>
      </div>
    </main>
  )
}
