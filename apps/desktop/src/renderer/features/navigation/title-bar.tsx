import type { ReactNode } from 'react'
import { BrandMark } from '../../components/brand-mark'
import { Icon } from '../../components/icon'
import { Kbd } from '../../components/kbd'
import { bridge } from '../../lib/bridge'
import { ariaShortcut } from '../../lib/keyboard/key-label'
import { openOverlay } from '../../lib/overlays'
import { WindowButtons } from './window-buttons'

/** The window's own frame: name, search, bell, and the buttons where the system draws none. */
export function TitleBar({ bell }: { readonly bell: ReactNode }) {
  const { platform } = bridge().shell
  return (
    <header
      className="titlebar drag-window"
      data-test="title-bar"
      data-platform={platform}
      data-pane="title-bar"
    >
      <div className="flex items-center gap-2 pl-3.5 font-[650] tracking-[-.005em]">
        <BrandMark />
        <span>Alfred</span>
      </div>
      <div className="px-4">
        <button
          type="button"
          className="omni no-drag"
          data-test="open-palette"
          data-pane-focus
          aria-keyshortcuts={ariaShortcut('Ctrl+K')}
          onClick={() => openOverlay({ kind: 'palette' })}
        >
          <Icon name="search" />
          <span className="cut">Search issues, transcripts, commands</span>
          <Kbd keys="Ctrl+K" />
        </button>
      </div>
      <div className="no-drag flex items-center gap-0.5">
        {bell}
        {platform === 'linux' && <WindowButtons />}
      </div>
    </header>
  )
}
