import { useEffect, useState, type ComponentType } from 'react'

/*
 * The first picture is home with a timeline. What other screens need is read when the window has nothing else to do,
 * or at once when it is opened before that.
 */

type Load = () => Promise<unknown>
const waiting: Load[] = []

/**
 * A component whose code is read later; until then it shows nothing, for a few milliseconds from this computer's disk.
 * React's own way for this would hold it back for 300 ms when it is first shown, also where its code is there already.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let known: ComponentType<P> | null = null
  const read = async (): Promise<ComponentType<P>> => (known ??= await load())
  waiting.push(read)
  return function ReadLater(props: P) {
    const [Shown, setShown] = useState(() => known)
    useEffect(() => {
      if (Shown !== null) return
      read().then(
        (component) => setShown(() => component),
        (failure: unknown) =>
          // thrown while React draws, so that it is told like any other failure of a screen
          setShown(() => {
            throw failure
          }),
      )
    }, [Shown])
    return Shown === null ? null : <Shown {...props} />
  }
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
