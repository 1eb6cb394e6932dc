import { err, ok, type Result } from '@shared/result'
import type { CommonError } from '@shared/contract/define'
import type { EngineCalls } from './electron-transport'

/*
 * The window opens while the engine still starts. What it asks meanwhile waits here, and is answered by the engine, or
 * by `owner_gone` once it is clear that there will be none.
 */

export interface EngineGate {
  readonly calls: EngineCalls
  open(engine: EngineCalls): void
  /** There will be no engine (any more). */
  shut(message: string): void
}

export function createEngineGate(): EngineGate {
  let engine: Result<EngineCalls, CommonError> | null = null
  let waiting: ((engine: Result<EngineCalls, CommonError>) => void)[] = []

  const decide = (decision: Result<EngineCalls, CommonError>): void => {
    engine = decision
    const due = waiting
    waiting = []
    for (const go of due) go(decision)
  }

  const decided = (): Promise<Result<EngineCalls, CommonError>> => {
    if (engine !== null) return Promise.resolve(engine)
    return new Promise((resolve) => waiting.push(resolve))
  }

  return {
    open: (calls) => decide(ok(calls)),
    shut: (message) => decide(err({ type: 'owner_gone', message })),
    calls: {
      async invoke(channel, input) {
        const decision = await decided()
        return decision.ok ? decision.value.invoke(channel, input) : decision
      },
      subscribe(channel, key, listener) {
        if (engine !== null) return engine.ok ? engine.value.subscribe(channel, key, listener) : engine
        let end: (() => void) | null = null
        let isWanted = true
        waiting.push((decision) => {
          if (!decision.ok || !isWanted) return
          const started = decision.value.subscribe(channel, key, listener)
          if (started.ok) end = started.value
        })
        return ok(() => {
          isWanted = false
          end?.()
        })
      },
    },
  }
}
