import type { TerminalEvent } from '@shared/contract/terminals'
import type { TerminalSize } from '../../ports/container-runtime'
import type { Randomness } from '../../ports/randomness'

/*
 * Those who see what a terminal shows and can do nothing to it. They never hold it up: who does not keep up misses a
 * part, and is shown the end of it again.
 */

export interface TerminalWatchers {
  /** Shows what was shown last, and from then on all of it. Returns what ends it. */
  add(listener: (event: TerminalEvent) => void): () => void
  show(bytes: Uint8Array): void
  /** Something was shown that is not known here. */
  missed(): void
  /** Who has the terminal now, and how large it is. */
  tell(facts: TerminalFacts): void
  /** False: nobody with this id watches. */
  taken(attachmentId: string, bytes: number): boolean
  end(): void
}

interface TerminalFacts {
  /** null: nobody has it. */
  readonly who: string | null
  /** null: nobody has had it yet. */
  readonly size: TerminalSize | null
}

interface Watcher {
  readonly id: string
  readonly listener: (event: TerminalEvent) => void
  /** Bytes that are on the way to its screen. */
  unread: number
  isBehind: boolean
}

interface Parts {
  readonly randomness: Pick<Randomness, 'uuidV4'>
  /** What a watcher is shown has a beginning that is not known: the program should paint all of it. */
  readonly paint: () => void
}

const mostKept = 256_000
const mostUnread = 1_000_000
/** The screen that a program leaves behind: the usual one, whole, without colours, empty. */
const emptied = Buffer.from('\u001B[?1049l\u001B[r\u001B[0m\u001B[H\u001B[2J')

export function createTerminalWatchers({ randomness, paint }: Parts): TerminalWatchers {
  const watchers = new Map<string, Watcher>()
  const kept: Uint8Array[] = []
  let keptBytes = 0
  let isWhole = true
  let facts: TerminalFacts = { who: null, size: null }

  const send = (watcher: Watcher, bytes: Uint8Array): void => {
    watcher.unread += bytes.length
    watcher.listener({ type: 'shown', bytes: Buffer.from(bytes).toString('base64') })
  }
  const sendKept = (watcher: Watcher): void => {
    for (const bytes of kept) send(watcher, bytes)
    if (!isWhole) paint()
  }
  const introduce = ({ id, listener }: Watcher): void =>
    listener({ type: 'watching', attachmentId: id, ...facts })

  return {
    add(listener) {
      const watcher = { id: randomness.uuidV4(), listener, unread: 0, isBehind: false }
      watchers.set(watcher.id, watcher)
      introduce(watcher)
      sendKept(watcher)
      return () => void watchers.delete(watcher.id)
    },
    show(bytes) {
      kept.push(bytes)
      keptBytes += bytes.length
      while (keptBytes > mostKept && kept.length > 1) {
        keptBytes -= kept.shift()?.length ?? 0
        isWhole = false
      }
      for (const watcher of watchers.values()) {
        watcher.isBehind ||= watcher.unread > mostUnread
        if (!watcher.isBehind) send(watcher, bytes)
      }
    },
    missed() {
      isWhole = false
    },
    tell(now) {
      facts = now
      for (const watcher of watchers.values()) introduce(watcher)
    },
    taken(attachmentId, bytes) {
      const watcher = watchers.get(attachmentId)
      if (watcher === undefined) return false
      watcher.unread = Math.max(0, watcher.unread - bytes)
      if (watcher.isBehind && watcher.unread === 0) {
        watcher.isBehind = false
        send(watcher, emptied)
        sendKept(watcher)
      }
      return true
    },
    end() {
      for (const { listener } of watchers.values()) listener({ type: 'ended' })
      watchers.clear()
    },
  }
}
