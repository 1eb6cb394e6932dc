import type { ReactNode } from 'react'
import { Segmented } from '../../components/segmented'
import { Switch } from '../../components/switch'
import { setPreferences, textScales, usePreferences, type Theme } from '../../lib/preferences'

const themes: readonly { readonly value: Theme; readonly label: string; readonly test: string }[] = [
  { value: 'system', label: 'System', test: 'theme-system' },
  { value: 'light', label: 'Light', test: 'theme-light' },
  { value: 'dark', label: 'Dark', test: 'theme-dark' },
]

/** How this window looks and listens; kept on this computer, the same for all projects. */
export function Appearance() {
  const { theme, textScale, letterKeys, reducedMotion } = usePreferences()
  return (
    <>
      <Line title="Theme" about="Follows the system unless set.">
        <Segmented
          label="Theme"
          value={theme}
          onChange={(next) => setPreferences({ theme: next })}
          options={themes}
          test="theme"
        />
      </Line>
      <Line title="Text size" about="Also Ctrl + and Ctrl -.">
        <Segmented
          label="Text size"
          value={String(textScale)}
          onChange={(next) => setPreferences({ textScale: Number(next) })}
          options={textScales.map((scale) => ({
            value: String(scale),
            label: `${Math.round(scale * 100)} %`,
          }))}
          test="text-scale"
        />
      </Line>
      <Line
        title="Single-letter keys"
        about="Letters act while a list, timeline or transcript has the focus."
      >
        <OnOff
          label="Single-letter keys"
          isOn={letterKeys}
          onChange={(next) => setPreferences({ letterKeys: next })}
        />
      </Line>
      <Line title="Reduced motion" about="No animation and no smooth scrolling, whatever the system says.">
        <OnOff
          label="Reduced motion"
          isOn={reducedMotion}
          onChange={(next) => setPreferences({ reducedMotion: next })}
        />
      </Line>
    </>
  )
}

interface LineProps {
  readonly title: string
  readonly about: string
  readonly children: ReactNode
}

const Line = ({ title, about, children }: LineProps) => (
  <div className="setting-line setting-line-short">
    <div className="min-w-0">
      <h2 className="text-13 font-strong">{title}</h2>
      <p className="text-12 text-ink-2">{about}</p>
    </div>
    <div>{children}</div>
  </div>
)

const OnOff = ({
  label,
  isOn,
  onChange,
}: {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}) => (
  <span className="flex items-center gap-2">
    <Switch label={label} isOn={isOn} onChange={onChange} />
    <span className="text-12" aria-hidden="true">
      {isOn ? 'On' : 'Off'}
    </span>
  </span>
)
