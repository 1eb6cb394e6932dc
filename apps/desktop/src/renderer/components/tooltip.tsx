import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'
import { Kbd } from './kbd'

interface Explanation {
  readonly text: string
  readonly keys: string | undefined
  readonly side: 'top' | 'bottom' | 'left' | 'right'
}

export interface TooltipProps extends Partial<Explanation> {
  readonly text: string
  /** One element that takes a ref: the thing explained. */
  readonly children: ReactElement
}

/** Ties every explained thing to the one popup: a popup of its own for each row would cost each row's first picture. */
const handle = Base.createHandle<Explanation>()

/** More about something that is already readable: never the only place of an action or a fact. */
export function Tooltip({ text, keys, side = 'top', children }: TooltipProps) {
  return <Base.Trigger handle={handle} payload={{ text, keys, side }} render={children} delay={450} />
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
