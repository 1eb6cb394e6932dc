import { useSyncExternalStore } from 'react'

/*
 * One timer for everything on screen that tells time. It beats once a second, only while something listens and the
 * window can be seen.
 */

const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | null = null

const tick = (): void => {
  now = Date.now()
  for (const listener of listeners) listener()
}

function adjust(): void {
  const shouldRun = listeners.size > 0 && !document.hidden
  if (shouldRun && !timer) {
    tick()
    timer = setInterval(tick, 1_000)
  } else if (!shouldRun && timer) {
    clearInterval(timer)
    timer = null
  }
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) document.addEventListener('visibilitychange', adjust)
  listeners.add(listener)
  now = Date.now()
  adjust()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) document.removeEventListener('visibilitychange', adjust)
    adjust()
  }
}

const subscribeNever = (): (() => void) => () => undefined

/** The time in epoch ms, once a second; with `isTicking` false the time when it was last asked. */
export function useNow(isTicking = true): number {
  return useSyncExternalStore(isTicking ? subscribe : subscribeNever, () => now)
}

/** As `useNow`, but only every `stepMs`, which the time is a multiple of. */
export function useNowBy(stepMs: number, isTicking = true): number {
  return useSyncExternalStore(isTicking ? subscribe : subscribeNever, () => Math.floor(now / stepMs) * stepMs)
}

/** The time by the minute, for ages that say no seconds. */
export const useMinute = (): number => useNowBy(60_000)
