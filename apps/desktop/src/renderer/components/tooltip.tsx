import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'
import { Kbd } from './kbd'

export interface TooltipProps {
  readonly text: string
  readonly keys?: string | undefined
  readonly side?: 'top' | 'bottom' | 'left' | 'right'
  /** One element that takes a ref: the thing explained. */
  readonly children: ReactElement
}

/** More about something that is already readable: never the only place of an action or a fact. */
export function Tooltip({ text, keys, side = 'top', children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={450} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="popup-layer">
          <Base.Popup className="tooltip">
            {text}
            {keys && (
              <>
                {' '}
                <Kbd keys={keys} />
              </>
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
