import { describe, expect, it } from 'vitest'
import type { TranscriptEvent } from '@shared/contract/runs'
import { createTranscriptReader, type TranscriptReader, type TranscriptSource } from './transcript-reader'

const event = (seq: number): TranscriptEvent => ({
  seq,
  at: seq,
  kind: 'text',
  payload: { text: String(seq) },
})

/** A store with events 1 to `count`, that can grow, fail and tell of new events. */
function setUp(count: number) {
  const stored = Array.from({ length: count }, (_, index) => event(index + 1))
  let listener: (events: readonly TranscriptEvent[], partial?: string) => void = () => undefined
  let isBroken = false
  const reads: string[] = []
  const source: TranscriptSource = {
    async read({ afterSeq, beforeSeq, limit }) {
      reads.push(`${afterSeq ?? '-'} ${beforeSeq ?? '-'}`)
      if (isBroken) throw new Error('no answer')
      const fitting = stored.filter((one) => one.seq > (afterSeq ?? 0) && one.seq < (beforeSeq ?? Infinity))
      return {
        events: afterSeq === null ? fitting.slice(-limit) : fitting.slice(0, limit),
        total: stored.length,
      }
    },
    follow(next) {
      listener = next
      return () => {
        listener = () => undefined
      }
    },
  }
  const reader = createTranscriptReader(source, () => undefined)
  return {
    reader,
    reads,
    store: (...seqs: number[]) => stored.push(...seqs.map(event)),
    tell: (...seqs: number[]) => listener(seqs.map(event)),
    write: (partial: string) => listener([], partial),
    breakOff: (broken: boolean) => {
      isBroken = broken
    },
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const seqs = (reader: TranscriptReader): number[] => reader.state().transcript.rows.map((row) => row.seq)

describe('reading a transcript', () => {
  it('knows what is being written until the text has come', async () => {
    const { reader, write, store, tell } = setUp(1)
    await settled()
    write('The harbour')
    write('The harbour lights')
    expect(reader.state().partial).toBe('The harbour lights')
    expect(seqs(reader)).toEqual([1])
    store(2)
    tell(2)
    expect(reader.state().partial).toBe('')
    expect(seqs(reader)).toEqual([1, 2])
  })

  it('begins with the last events and reads earlier ones when asked', async () => {
    const { reader } = setUp(900)
    await settled()
    expect(seqs(reader)[0]).toBe(701)
    expect(reader.state()).toMatchObject({ status: 'ready', total: 900, hasEarlier: true })
    await reader.readEarlier()
    await reader.readEarlier()
    expect(seqs(reader)).toHaveLength(900)
    expect(reader.state().hasEarlier).toBe(false)
  })

  it('adds what it is told without asking', async () => {
    const { reader, reads, store, tell } = setUp(2)
    await settled()
    store(3, 4)
    tell(3, 4)
    expect(seqs(reader)).toEqual([1, 2, 3, 4])
    expect(reader.state().total).toBe(4)
    expect(reads).toHaveLength(1)
  })

  it('reads a hole again', async () => {
    const { reader, store, tell } = setUp(2)
    await settled()
    store(3, 4, 5, 6)
    tell(6)
    await settled()
    expect(seqs(reader)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('loses nothing that comes while the first page is read', async () => {
    const { reader, store, tell } = setUp(2)
    store(3)
    tell(3)
    store(4)
    tell(4)
    await settled()
    expect(seqs(reader)).toEqual([1, 2, 3, 4])
  })

  it('catches up over more than one page', async () => {
    const { reader, store, tell } = setUp(1)
    await settled()
    store(...Array.from({ length: 2_500 }, (_, index) => index + 2))
    tell(2_501)
    await settled()
    expect(seqs(reader)).toHaveLength(2_501)
  })

  it('says that it failed, and goes on when asked again', async () => {
    const { reader, store, tell, breakOff } = setUp(2)
    await settled()
    breakOff(true)
    store(3, 4)
    tell(4)
    await settled()
    expect(reader.state().status).toBe('failed')
    breakOff(false)
    await reader.catchUp()
    expect(reader.state().status).toBe('ready')
    expect(seqs(reader)).toEqual([1, 2, 3, 4])
  })

  it('is silent once it is stopped', async () => {
    const { reader, tell } = setUp(1)
    await settled()
    reader.stop()
    tell(2)
    expect(seqs(reader)).toEqual([1])
  })
})
