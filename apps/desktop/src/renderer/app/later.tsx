import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'

/*
 * The first picture is home with a timeline. What other screens need is read when the window has nothing else to do,
 * or at once when it is opened before that.
 */

type Load = () => Promise<unknown>
const waiting: Load[] = []

/** A component whose code is read later. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>) {
  waiting.push(load)
  return lazy(async () => ({ default: await load() }))
}

/** Reads all that was left for later, once the window is idle. */
export function readTheRest(): void {
  requestIdleCallback(
    () => {
      for (const load of waiting.splice(0)) void load()
    },
    { timeout: 3_000 },
  )
}

/** Shows nothing while its code is read: a few milliseconds from this computer's disk. */
export function Later({ children }: { readonly children: ReactNode }) {
  return <Suspense fallback={null}>{children}</Suspense>
}
