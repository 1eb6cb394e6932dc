import { useEffect, useState } from 'react'
import { Icon, type IconName } from '../../components/icon'
import { bridge } from '../../lib/bridge'

/** Minimise, maximise, close: where the window draws its own frame. Not in the tab order, as in any other window. */
export function WindowButtons() {
  const { shell } = bridge()
  const [isMaximized, setMaximized] = useState(false)
  useEffect(() => shell.onWindowState((state) => setMaximized(state.isMaximized)), [shell])
  return (
    <div className="flex items-center text-ink-2">
      <WindowButton label="Minimise" icon="minus" onClick={() => shell.minimize()} />
      <WindowButton
        label={isMaximized ? 'Restore' : 'Maximise'}
        icon={isMaximized ? 'restore' : 'square'}
        onClick={() => shell.maximizeToggle()}
      />
      <WindowButton label="Close" icon="x" onClick={() => shell.close()} />
    </div>
  )
}

interface WindowButtonProps {
  readonly label: string
  readonly icon: IconName
  readonly onClick: () => void
}

function WindowButton({ label, icon, onClick }: WindowButtonProps) {
  return (
    <button type="button" tabIndex={-1} className="window-button" aria-label={label} onClick={onClick}>
      <Icon name={icon} size={icon === 'x' ? 16 : 14} />
    </button>
  )
}
