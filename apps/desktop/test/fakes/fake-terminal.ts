import type { ContainerTerminal, TerminalSize } from '@main/ports/container-runtime'

/** A terminal in memory: the program's side, and that of whoever takes hold of it. */
export interface FakeTerminal {
  print(text: string): void
  onTyped(listener: (text: string) => void): void
  onResized(listener: (size: TerminalSize) => void): void
  /** As the runtime sees it. */
  hold(): ContainerTerminal
  resize(size: TerminalSize): void
  /** The connections break; the program goes on. */
  drop(): void
  end(): void
}

/** What is printed while nobody holds it is lost, as with a real one. */
export function createFakeTerminal(): FakeTerminal {
  const holders = new Set<ReturnType<typeof createQueue>>()
  const typed: ((text: string) => void)[] = []
  const resized: ((size: TerminalSize) => void)[] = []
  let isOver = false
  return {
    print: (text) => {
      for (const holder of holders) holder.push(Buffer.from(text))
    },
    onTyped: (listener) => void typed.push(listener),
    onResized: (listener) => void resized.push(listener),
    hold() {
      const queue = createQueue()
      if (isOver) queue.end()
      else holders.add(queue)
      return {
        output: queue.bytes(),
        write(bytes) {
          if (isOver) return false
          for (const listener of typed) listener(Buffer.from(bytes).toString('utf8'))
          return true
        },
        close() {
          holders.delete(queue)
          queue.end()
        },
      }
    },
    resize: (size) => {
      for (const listener of resized) listener(size)
    },
    drop() {
      for (const holder of holders) holder.end()
      holders.clear()
    },
    end() {
      isOver = true
      for (const holder of holders) holder.end()
    },
  }
}

function createQueue() {
  const waiting: Uint8Array[] = []
  let isOver = false
  let wake = (): void => undefined
  return {
    push(bytes: Uint8Array) {
      waiting.push(bytes)
      wake()
    },
    end() {
      isOver = true
      wake()
    },
    async *bytes(): AsyncIterable<Uint8Array> {
      for (;;) {
        const next = waiting.shift()
        if (next !== undefined) yield next
        else if (isOver) return
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}
