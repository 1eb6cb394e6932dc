import { assertPresent } from '@shared/assert'
import type { BegunPack, PackedEvents } from '@main/ports/stores'
import { toEventColumns } from './event-columns'
import { beginPacking } from './event-pack'

/** Events of one pack: laying it out is one step, in which nothing else is done. */
const eventsOfPack = 1_000

type Packs = PackedEvents['packs']

const finishes = new WeakMap<BegunPack, () => Promise<Packs>>()

/** What is added is packed at once; each thousand of it is compressed beside this thread while more comes. */
export function beginPack(): BegunPack {
  const full: Promise<Packs[number]>[] = []
  let packing = beginPacking()
  /** One after the other: each takes memory of its own while it is compressed. */
  let turn: Promise<unknown> = Promise.resolve()

  const close = (): void => {
    const events = packing.events()
    const compressed = packing.finish(turn).then((body) => ({ events, body }))
    full.push(compressed)
    // A failure is told to whoever asks for the packs, who may come later.
    turn = compressed.catch(() => undefined)
  }

  const begun: BegunPack = {
    add(events) {
      for (const { at, kind, payload } of events) {
        const columns = toEventColumns(kind, payload)
        if (packing.events() === eventsOfPack) {
          close()
          packing = beginPacking()
        }
        packing.add({ at, kind, payload: columns.payload, text: columns.text })
      }
    },
  }
  finishes.set(begun, () => {
    if (packing.events() > 0) close()
    return Promise.all(full)
  })
  return begun
}

/** All that was added to it, in order. */
export const packsOf = (begun: BegunPack): Promise<Packs> =>
  assertPresent(finishes.get(begun), 'packs are begun by beginPack')()
