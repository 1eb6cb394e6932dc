import { useEffect, useEffectEvent } from 'react'
import type { EventOf, KeyOf } from '@shared/contract/define'
import { engine, type EntryOf, type StreamChannel } from './engine-client'

/** Follows a contract stream while the component is shown; `key` null follows nothing where a key is needed. */
export function useStream<C extends StreamChannel>(
  channel: C,
  key: KeyOf<EntryOf<C>>,
  listener: (event: EventOf<EntryOf<C>>) => void,
): void {
  const onEvent = useEffectEvent(listener)
  const keyText = JSON.stringify(key)
  useEffect(
    () => engine.subscribe(channel, JSON.parse(keyText) as KeyOf<EntryOf<C>>, (event) => onEvent(event)),
    [channel, keyText],
  )
}
