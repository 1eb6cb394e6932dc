import type { ActingPort, AroundPort } from '@main/boot/engine-options'

/*
 * Sees what an engine does to the world: what it commits to its database, and what it has containers, git, the forge
 * and the disk do. Between two acts nothing outlives the process, so ending it before and after each of them is ending
 * it at every step.
 */

/** A place in the life of an engine. */
export interface Seam {
  /** `before` an act, or `after` it; what is committed together is one act, and only its end can be told. */
  readonly side: 'before' | 'after'
  /** `port.method`; `store.table.method` for what is committed. */
  readonly act: string
  /** Counted from when that many runs have been stored. */
  readonly runs: number
  /** The how manyth time, from 1. */
  readonly nth: number
}

interface Options {
  readonly seam: Seam | null
  readonly end: () => void
  readonly tell: (act: string) => void
}

/** They change nothing: not an act. */
const reading =
  /^(account|branch|changed|commitCount|commitMessages|cost|count|cutOffs|describe|diff|droppedAt|figures|find|folderOf|get|has|info|input|inspect|installId|is|latest|lines|list|log|look|merge|outputFolder|ownBranch|placeOf|read|remote|runGit|sandboxOf|sizeBytes|spendings|successorOf|touched|used|version|wait|workHere)/

export function actWatcher({ seam, end, tell }: Options): AroundPort {
  let runs = 0
  let times = 0
  let depth = 0
  let inTransaction: string[] = []

  const reach = (side: Seam['side'], act: string): void => {
    tell(`${side} ${act}`)
    if (side === 'after' && act === 'store.runs.add') runs += 1
    if (seam === null || runs < seam.runs || side !== seam.side || act !== seam.act) return
    times += 1
    if (times === seam.nth) end()
  }

  const around = (name: string, port: object): object =>
    new Proxy(port, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        const act = `${name}.${String(key)}`
        if (typeof value === 'function') return called(act, String(key), value.bind(target))
        return name === 'store' && typeof value === 'object' && value !== null ? around(act, value) : value
      },
    })

  const called = (act: string, method: string, call: (...given: unknown[]) => unknown) => {
    if (act === 'store.transaction') return transaction(call)
    const isStore = act.startsWith('store.')
    return (...given: unknown[]): unknown => {
      if (reading.test(method)) return call(...given)
      if (!isStore) reach('before', act)
      const answer = call(...given)
      if (answer instanceof Promise) {
        return answer.then((value: unknown) => {
          reach('after', act)
          return act === 'git.openMailboxRepository' ? insideResult(value) : value
        })
      }
      if (isStore && depth > 0) inTransaction.push(act)
      else reach('after', act)
      return answer
    }
  }

  const transaction =
    (call: (...given: unknown[]) => unknown) =>
    (step: () => unknown): unknown => {
      depth += 1
      try {
        return call(step)
      } catch (error) {
        if (depth === 1) inTransaction = []
        throw error
      } finally {
        depth -= 1
        if (depth === 0) {
          const acts = inTransaction
          inTransaction = []
          for (const act of new Set(acts)) reach('after', act)
        }
      }
    }

  /** The repository of a mailbox is a port that the port `git` gives away. */
  const insideResult = (result: unknown): unknown =>
    typeof result === 'object' && result !== null && 'value' in result && typeof result.value === 'object'
      ? { ...result, value: around('repository', result.value ?? {}) }
      : result

  return <P extends object>(name: ActingPort, port: P): P => around(name, port) as P
}
