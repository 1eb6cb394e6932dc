import { useEffect, useLayoutEffect, useRef } from 'react'
import { create } from 'zustand'
import { keyMap, type ActionId } from './key-map'

/** An action as the part of the window that offers it tells it. */
export interface Action {
  readonly run: () => void
  /** More exact words for the palette: "Retry run 427, continue memory C". */
  readonly label?: string
  /** Why it cannot be done now; then `run` is not called. */
  readonly disabledReason?: string | null
}

export type Actions = Partial<Record<ActionId, Action>>

interface Offer {
  readonly actions: Actions
}

/** Offers in the order in which they were made; the last that has an action wins. */
export const useOffers = create<{ readonly offers: readonly Offer[] }>(() => ({ offers: [] }))

/** What is offered under an id now; null if nobody does. */
export const findAction = (id: ActionId, offers = useOffers.getState().offers): Action | null =>
  offers.findLast((offer) => offer.actions[id])?.actions[id] ?? null

/** Does an action if it is offered and possible. Tells whether it did. */
export function runAction(id: ActionId): boolean {
  const action = findAction(id)
  if (!action || action.disabledReason) return false
  action.run()
  return true
}

export const actionLabel = (id: ActionId, action: Action | null): string => action?.label ?? keyMap[id].label

/** Offers actions while the component is shown: to the keys, the palette and the key list at once. */
export function useActions(actions: Actions): void {
  const latest = useRef(actions)
  useLayoutEffect(() => {
    latest.current = actions
  })
  // what the palette shows is compared by its words; `run` is always the latest
  const shown = JSON.stringify(
    Object.entries(actions).map(([id, action]) => [id, action?.label, action?.disabledReason]),
  )
  useEffect(() => {
    const offered: Actions = Object.fromEntries(
      Object.entries(latest.current).map(([id, action]) => [
        id,
        action && { ...action, run: () => latest.current[id as ActionId]?.run() },
      ]),
    )
    const offer: Offer = { actions: offered }
    useOffers.setState(({ offers }) => ({ offers: [...offers, offer] }))
    return () => useOffers.setState(({ offers }) => ({ offers: offers.filter((other) => other !== offer) }))
  }, [shown])
}
