import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'

/*
 * A tar writer for build contexts and root file systems. It reads files while it writes, owns everything to root,
 * and needs neither a folder to stage in nor a user who may chown.
 */

export type TarEntry =
  | { readonly kind: 'file'; readonly path: string; readonly source: string; readonly mode: number }
  | { readonly kind: 'text'; readonly path: string; readonly text: string; readonly mode: number }
  | {
      readonly kind: 'folder'
      readonly path: string
      readonly mode: number
      readonly uid?: number
      readonly gid?: number
    }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }

const blockBytes = 512
const chunkBytes = 1_048_576

/** Paths are relative, without a leading slash. Fails (the stream errors) when a source cannot be read. */
export function tarStream(entries: Iterable<TarEntry> | AsyncIterable<TarEntry>): Readable {
  return Readable.from(tarBytes(entries), { objectMode: false, highWaterMark: chunkBytes })
}

async function* tarBytes(entries: Iterable<TarEntry> | AsyncIterable<TarEntry>): AsyncGenerator<Buffer> {
  for await (const entry of entries) {
    switch (entry.kind) {
      case 'folder':
        yield* header({
          path: `${entry.path}/`,
          mode: entry.mode,
          size: 0,
          type: '5',
          uid: entry.uid,
          gid: entry.gid,
        })
        break
      case 'link':
        yield* header({ path: entry.path, mode: 0o777, size: 0, type: '2', link: entry.target })
        break
      case 'text': {
        const bytes = Buffer.from(entry.text)
        yield* header({ path: entry.path, mode: entry.mode, size: bytes.length, type: '0' })
        yield padded(bytes)
        break
      }
      case 'file':
        yield* fileBytes(entry)
        break
    }
  }
  yield Buffer.alloc(blockBytes * 2)
}

async function* fileBytes(entry: {
  readonly path: string
  readonly source: string
  readonly mode: number
}): AsyncGenerator<Buffer> {
  const file = await open(entry.source, 'r')
  try {
    const { size } = await file.stat()
    yield* header({ path: entry.path, mode: entry.mode, size, type: '0' })
    let left = size
    while (left > 0) {
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, left))
      const { bytesRead } = await file.read(buffer, 0, buffer.length)
      if (bytesRead === 0) throw new Error(`${entry.source} became shorter while it was read`)
      yield buffer.subarray(0, bytesRead)
      left -= bytesRead
    }
    yield Buffer.alloc(paddingOf(size))
  } finally {
    await file.close()
  }
}

interface Header {
  readonly path: string
  readonly mode: number
  readonly size: number
  readonly type: '0' | '2' | '5' | 'L' | 'K'
  readonly link?: string
  readonly uid?: number | undefined
  readonly gid?: number | undefined
}

/** Names over 100 bytes go into a GNU long-name entry before. */
function* header(fields: Header): Generator<Buffer> {
  if (Buffer.byteLength(fields.path) > 100) yield* longName(fields.path, 'L')
  if (fields.link !== undefined && Buffer.byteLength(fields.link) > 100) yield* longName(fields.link, 'K')
  yield block(fields)
}

function* longName(name: string, type: 'L' | 'K'): Generator<Buffer> {
  const bytes = Buffer.from(`${name}\0`)
  yield block({ path: '././@LongLink', mode: 0, size: bytes.length, type })
  yield padded(bytes)
}

function block({ path, mode, size, type, link = '', uid = 0, gid = 0 }: Header): Buffer {
  const bytes = Buffer.alloc(blockBytes)
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`
  Buffer.from(path).copy(bytes, 0, 0, 100)
  bytes.write(octal(mode, 8), 100)
  bytes.write(octal(uid, 8), 108)
  bytes.write(octal(gid, 8), 116)
  bytes.write(octal(size, 12), 124)
  // Time zero: the same content gives the same archive.
  bytes.write(octal(0, 12), 136)
  bytes.write('        ', 148)
  bytes.write(type, 156)
  Buffer.from(link).copy(bytes, 157, 0, 100)
  bytes.write('ustar\0' + '00', 257)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return bytes
}

const paddingOf = (size: number): number => (blockBytes - (size % blockBytes)) % blockBytes

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(paddingOf(bytes.length))])
