import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { secretReach } from '../redact/safe-cut'
import {
  createLineSplitter,
  defaultLineLimits,
  type LineSplitterLimits,
  type StreamLine,
} from './line-splitter'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function split(chunks: readonly Uint8Array[], limits: LineSplitterLimits = defaultLineLimits): StreamLine[] {
  const splitter = createLineSplitter(limits)
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()]
}

function cutAt(whole: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const edges = [0, ...cuts.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b), whole.length]
  return edges.slice(1).map((end, index) => whole.subarray(edges[index], end))
}

const nastyByte = fc.oneof(
  fc.constantFrom(0x0a, 0x0d, 0x00, 0x1b, 0x5b, 0x5d, 0x07, 0x9b, 0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80, 0xff),
  fc.integer({ min: 0, max: 255 }),
)
const nastyBytes = fc.array(nastyByte, { maxLength: 400 }).map((values) => Uint8Array.from(values))
/** As most output is, which is split in another way. */
const plainBytes = fc
  .array(fc.constantFrom('a', '{', '\t', '\n'), { maxLength: 400 })
  .map((characters) => bytes(characters.join('')))
const anyBytes = fc.oneof(nastyBytes, plainBytes)

describe('the line splitter', () => {
  it('splits at line feeds and takes a carriage return before one away', () => {
    expect(split([bytes('one\r\ntwo\n\nlast')]).map((line) => line.text)).toEqual(['one', 'two', '', 'last'])
  })

  it('joins a character that arrives in two chunks', () => {
    const whole = bytes('caf\u00e9 \u{1f600}\n')
    expect(split([whole.subarray(0, 4), whole.subarray(4, 8), whole.subarray(8)])[0]?.text).toBe(
      'caf\u00e9 \u{1f600}',
    )
  })

  it('shows invalid bytes as replacement characters and keeps the rest of the line', () => {
    expect(split([Uint8Array.from([0x61, 0xff, 0x62, 0x0a])])[0]?.text).toBe('a\ufffdb')
  })

  it('cuts an overlong line, keeps its start and tells how many bytes are missing', () => {
    const lines = split([bytes(`${'x'.repeat(50)}\nnext\n`)], { maxLineBytes: 20, keptBytes: 8 })
    expect(lines).toEqual([
      { text: 'xxxxxxxx', beyond: 'x'.repeat(42), droppedBytes: 42, streamBytes: 51 },
      { text: 'next', beyond: '', droppedBytes: 0, streamBytes: 5 },
    ])
  })

  it('does not cut inside a character', () => {
    const [line] = split([bytes('ab\u{1f600}cdefghijklmnop\n')], { maxLineBytes: 10, keptBytes: 4 })
    expect(line?.text).toBe('ab')
    expect(line?.droppedBytes).toBe(18)
  })

  it('holds no more than the kept bytes of an endless line', () => {
    const splitter = createLineSplitter({ maxLineBytes: 1000, keptBytes: 10 })
    const chunk = new Uint8Array(1000).fill(0x61)
    for (let i = 0; i < 5000; i += 1) expect(splitter.push(chunk)).toEqual([])
    expect(splitter.end()).toEqual([
      {
        text: 'a'.repeat(10),
        beyond: 'a'.repeat(secretReach),
        droppedBytes: 4_999_990,
        streamBytes: 5_000_000,
      },
    ])
  })

  it('keeps what it holds when the caller uses its buffer again', () => {
    const splitter = createLineSplitter()
    const buffer = Buffer.from('whole\npart')
    splitter.push(buffer)
    buffer.fill('x')
    expect(splitter.push(bytes(' two\n')).map((line) => line.text)).toEqual(['part two'])
  })

  it('says how many bytes came after the last whole line', () => {
    const splitter = createLineSplitter()
    splitter.push(bytes('whole\npart'))
    expect(splitter.pendingBytes()).toBe(4)
  })

  it('gives the same lines however the bytes are cut into chunks', () => {
    fc.assert(
      fc.property(
        anyBytes,
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.constantFrom(
          defaultLineLimits,
          { maxLineBytes: 12, keptBytes: 5 },
          { maxLineBytes: 1, keptBytes: 1 },
        ),
        (whole, cuts, limits) => {
          expect(split(cutAt(whole, cuts), limits)).toEqual(split([whole], limits))
        },
      ),
    )
  })

  it('finds what lies between the line feeds of plain text', () => {
    fc.assert(
      fc.property(plainBytes, (whole) => {
        const texts = new TextDecoder().decode(whole).split('\n')
        if (texts.at(-1) === '') texts.pop()
        expect(split([whole]).map(({ text }) => text)).toEqual(texts)
      }),
    )
  })

  it('gives the same lines in groups, and with a group what its lines are together', () => {
    fc.assert(
      fc.property(fc.array(anyBytes, { maxLength: 5 }), (chunks) => {
        const limits = { maxLineBytes: 100, keptBytes: 5 }
        const [single, grouped] = [createLineSplitter(limits), createLineSplitter(limits)]
        for (const chunk of chunks) {
          const groups = grouped.pushGrouped(chunk)
          expect(groups.flatMap(({ lines }) => lines)).toEqual(single.push(chunk))
          for (const { lines, whole } of groups) {
            if (whole !== null) expect(whole).toBe(lines.map(({ text }) => `${text}\n`).join(''))
          }
        }
      }),
    )
    const [group] = createLineSplitter().pushGrouped(bytes('one\ntwo\nthr'))
    expect(group?.whole).toBe('one\ntwo\n')
  })

  it('accounts for every byte of the stream', () => {
    fc.assert(
      fc.property(anyBytes, (whole) => {
        const total = split([whole], { maxLineBytes: 7, keptBytes: 3 }).reduce(
          (sum, line) => sum + line.streamBytes,
          0,
        )
        expect(total).toBe(whole.length)
      }),
    )
  })
})
