import { Meter as Base } from '@base-ui/react/meter'
import { meterLevel } from '../lib/meter-level'

export interface MeterProps {
  /** What is measured: "Context". */
  readonly label: string
  readonly used: number | null
  readonly max: number | null
  /** The figures in words, as shown beside it. */
  readonly valueText: string
  readonly test?: string | undefined
}

const wordByLevel = { fine: null, high: 'high', full: 'almost full', unknown: null } as const

/** How full something is; unknown is drawn as unknown, never as empty. */
export function Meter({ label, used, max, valueText, test }: MeterProps) {
  const level = meterLevel(used, max)
  const fraction = used === null || max === null || max <= 0 ? 0 : Math.min(1, used / max)
  const word = wordByLevel[level]
  return (
    <div className="flex items-center gap-2" data-test={test} data-value={used ?? ''} data-state={level}>
      <Base.Root
        className="flex grow"
        value={fraction * 100}
        aria-label={label}
        getAriaValueText={() => (word ? `${valueText}, ${word}` : valueText)}
      >
        <Base.Track className="meter-track" data-state={level}>
          <Base.Indicator className="meter-fill" data-state={level} />
        </Base.Track>
      </Base.Root>
      {word && <span className={level === 'full' ? 'text-11 text-bad' : 'text-11 text-warn'}>{word}</span>}
      {level === 'unknown' && <span className="text-11 text-ink-3">unknown</span>}
    </div>
  )
}
