import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import type { RunId } from '@shared/model/ids'
import { engine } from '../../lib/engine-client'
import { openOverlay } from '../../lib/overlays'
import { copyText } from '../../lib/shell'
import { keepKeys, ownKey } from './terminal-keys'
import { linkTerminal, type LinkEvent, type TerminalSize, type TerminalWay } from './terminal-link'
import { createTerminalView, type TerminalView } from './terminal-view'

export type TerminalState =
  | { readonly type: 'connecting' }
  | { readonly type: 'attached'; readonly since: number }
  /** It is seen read-only; `who` null: nobody has it now. */
  | { readonly type: 'watching'; readonly who: string | null }
  /** Another client shows it. */
  | { readonly type: 'held'; readonly who: string; readonly since: number }
  | { readonly type: 'taken_over'; readonly who: string }
  /** This window let go of it. */
  | { readonly type: 'left' }
  | { readonly type: 'ended' }

export interface ShownView {
  readonly host: RefObject<HTMLDivElement | null>
  readonly view: RefObject<TerminalView | null>
  readonly state: TerminalState
  readonly size: TerminalSize | null
  /** Shows it here again. */
  readonly attach: (way: TerminalWay) => void
  /** Lets go of it; it goes on. */
  readonly leave: () => void
}

/** Shows the terminal of a run in `host`, from the first look on. */
export function useTerminalView(runId: RunId): ShownView {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<TerminalView | null>(null)
  const [tries, setTries] = useState<{ readonly count: number; readonly way: TerminalWay }>({
    count: 1,
    way: 'attach',
  })
  const [state, setState] = useState<TerminalState>({ type: 'connecting' })
  const [size, setSize] = useState<TerminalSize | null>(null)
  const leaveNow = useRef<() => void>(() => undefined)
  const closeNow = useRef<() => void>(() => undefined)
  const onEvent = useEffectEvent((event: LinkEvent) => {
    if (event.type === 'attached') {
      setState({ type: 'attached', since: Date.now() })
      view.current?.focus()
      return
    }
    closeNow.current()
    if (event.type !== 'watching') return setState(event)
    view.current?.follow(event.size)
    setState({ type: 'watching', who: event.who })
  })

  useEffect(() => {
    const element = host.current
    if (element === null || tries.count === 0) return
    const shown = createTerminalView({
      host: element,
      onTyped: (bytes) => link.type(bytes),
      onResized: () => {
        setSize(shown.size())
        link.resized()
      },
      onLink: (url) => openOverlay({ kind: 'open-link', url }),
      isOwnKey: (event) => {
        const key = ownKey(event)
        if (key === 'copy' && event.type === 'keydown') {
          const marked = shown.selection()
          // nothing marked: what was copied before stays
          if (marked !== '') copyText(marked)
          event.preventDefault()
        }
        return key !== null
      },
    })
    view.current = shown
    setSize(shown.size())
    const { way } = tries
    const link = linkTerminal({ engine, screen: shown, runId, way, onEvent: (event) => onEvent(event) })
    const endKeys = keepKeys(element)
    // nobody reads them any more: keys are the window's again
    closeNow.current = () => {
      endKeys()
      shown.close()
    }
    leaveNow.current = () => {
      link.leave()
      closeNow.current()
    }
    return () => {
      endKeys()
      link.leave()
      shown.end()
      view.current = null
    }
  }, [runId, tries])

  return {
    host,
    view,
    state,
    size,
    attach: (way) => {
      setState({ type: 'connecting' })
      setTries(({ count }) => ({ count: count + 1, way }))
    },
    leave: () => {
      leaveNow.current()
      setState({ type: 'left' })
    },
  }
}
