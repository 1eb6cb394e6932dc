import { useEffect } from 'react'
import { bridge } from '../lib/bridge'
import { explainCutText } from '../lib/cut-text'
import { followEngine } from '../lib/follow-engine'
import { listenForKeys } from '../lib/keyboard/listen'
import { followLink } from '../lib/navigation/follow-link'
import { useNavigation } from '../lib/navigation/store'
import { rememberPaneFocus } from '../lib/panes'
import { applyPreferences } from '../lib/preferences'
import { openOverlay } from '../lib/overlays'

/** Ties the window to what is outside of React: engine, frame, keyboard, document. */
export function useShell(): void {
  useEffect(() => {
    const ends = [
      followEngine(),
      applyPreferences(document.documentElement),
      listenForKeys(),
      rememberPaneFocus(),
      explainCutText(),
      bridge().shell.onOpenView(followLink),
      bridge().shell.onQuitAsked(() => openOverlay({ kind: 'quit' })),
      tellShownRun(),
      markHidden(document.documentElement),
    ]
    return () => ends.forEach((end) => end())
  }, [])
}

/** So that no notification tells what is in front of the person. */
function tellShownRun(): () => void {
  const tell = (): void => {
    const { view } = useNavigation.getState()
    bridge().shell.showsRun(view.screen === 'run' ? view.runId : null)
  }
  tell()
  return useNavigation.subscribe(tell)
}

/** A window that cannot be seen animates nothing. */
function markHidden(root: HTMLElement): () => void {
  const mark = (): void => void root.toggleAttribute('data-window-hidden', document.hidden)
  mark()
  document.addEventListener('visibilitychange', mark)
  return () => document.removeEventListener('visibilitychange', mark)
}
