import { useEffect, useRef } from 'react'
import type { SettingRow } from '@shared/contract/settings'
import { needsConsent } from '@shared/model/setting-consent'
import { ConsentDialog } from '../../components/consent-dialog'
import { classNames } from '../../lib/class-names'
import { consentWords } from './consent-words'
import { resetTarget, spokenStrip, stripCells, type ScopeChain } from './scope-chain'
import { SettingControl } from './setting-control'
import { settingLooks } from './setting-looks'
import { useSettingWriter, type SettingPlace, type SettingWriter } from './use-setting-draft'

export interface SettingLineProps {
  readonly row: SettingRow
  readonly place: SettingPlace
  readonly chain: ScopeChain
  /** Scrolls here and takes the eye when the screen was opened for it. */
  readonly isWanted: boolean
}

/** One setting: what it is, its editor, and what each scope says. */
export function SettingLine({ row, place, chain, isWanted }: SettingLineProps) {
  const look = settingLooks[row.key]
  const writer = useSettingWriter(row.key, place)
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isWanted) line.current?.scrollIntoView({ block: 'center' })
  }, [isWanted])
  // what is stored here and ignored can be taken away too
  const isSetHere = row.strip[place.scope] !== null || row.problem !== null
  const cells = stripCells(row, chain, place.scope, look.control)
  return (
    <div
      ref={line}
      className={classNames('setting-line', isWanted && 'bg-selected')}
      data-test="setting-row"
      data-setting={row.key}
    >
      <div className="min-w-0">
        <h2 className="text-13 font-strong">{row.label}</h2>
        <p className="text-12 text-ink-2">{row.about}</p>
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-mono text-11 text-ink-3 selectable">{row.key}</span>
          {isSetHere && (
            <button type="button" className="link text-11" data-test="reset-setting" onClick={writer.reset}>
              {`Reset to ${resetTarget(row, chain, place.scope)}`}
              <span className="sr">{`, ${row.label}`}</span>
            </button>
          )}
        </div>
        <StoredProblem row={row} writer={writer} />
      </div>
      <div className="min-w-0">
        <SettingControl
          key={`${place.scope}:${place.scopeId}`}
          row={row}
          look={look}
          scope={place.scope}
          writer={writer}
        />
      </div>
      {needsConsent(row.key, writer.asked?.value) && (
        <ConsentDialog
          {...consentWords(row.key, place.scope, writer.asked?.value)}
          isOpen
          onCancel={writer.decline}
          onConfirm={writer.agree}
        />
      )}
      <div
        className="scope-strip"
        role="img"
        aria-label={spokenStrip(cells)}
        data-test="setting-origin"
        data-value={row.origin}
      >
        {cells.map((cell) => (
          <span key={cell.scope} data-state={cell.state}>
            <b className="cut">{cell.name}</b>
            <em className="cut" title={cell.text ?? undefined}>
              {cell.text ?? '–'}
            </em>
          </span>
        ))}
      </div>
    </div>
  )
}

/** Why what is stored here does not count, and how it would. */
function StoredProblem({ row, writer }: { readonly row: SettingRow; readonly writer: SettingWriter }) {
  const { problem, unagreed } = row
  if (problem === null) return null
  if (unagreed === null)
    return <p className="text-11 text-warn">{`The stored value is not valid and is ignored: ${problem}`}</p>
  return (
    <p className="text-11 text-warn [overflow-wrap:anywhere]" data-test="setting-unagreed">
      {`Stored, but ${problem} `}
      <button
        type="button"
        className="link"
        data-test="agree-setting"
        onClick={() => writer.set(unagreed.value)}
      >
        Agree to it…
      </button>
    </p>
  )
}
