import { Tooltip as Base } from '@base-ui/react/tooltip'
import { useEffect, useRef, type ReactElement } from 'react'
import { Kbd } from './kbd'

interface Explanation {
  readonly text: string
  readonly keys: string | undefined
  readonly side: 'top' | 'bottom' | 'left' | 'right'
}

export interface TooltipProps extends Partial<Omit<Explanation, 'text'>> {
  /** null: there is nothing to explain now. */
  readonly text: string | null
  /** One element that takes a ref: the thing explained. */
  readonly children: ReactElement
}

/** Ties every explained thing to the one popup: a popup of its own for each row would cost each row's first picture. */
const handle = Base.createHandle<Explanation>()

/** More about something that is already readable: never the only place of an action or a fact. */
export function Tooltip({ text, keys, side = 'top', children }: TooltipProps) {
  const isOff = text === null
  const wasOff = useRef(isOff)
  useEffect(() => {
    // A trigger that is off does not hear when it is left.
    if (isOff && !wasOff.current) handle.close()
    wasOff.current = isOff
  }, [isOff])
  return (
    <Base.Trigger
      handle={handle}
      payload={{ text: text ?? '', keys, side }}
      disabled={isOff}
      render={children}
      delay={450}
    />
  )
}

/** The popup of all tooltips; once in the page. */
export function TooltipPopup() {
  return (
    <Base.Root handle={handle}>
      {({ payload }) => (
        <Base.Portal>
          <Base.Positioner side={payload?.side ?? 'top'} sideOffset={6} className="popup-layer">
            <Base.Popup className="tooltip">
              {payload?.text}
              {payload?.keys !== undefined && (
                <>
                  {' '}
                  <Kbd keys={payload.keys} />
                </>
              )}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      )}
    </Base.Root>
  )
}
