import {
  appendFile,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
  open,
} from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Clock } from '@main/ports/clock'
import type { StreamFile, StreamItem } from '@main/ports/stream-files'
import { createStreamFiles } from './stream-file'

let folder: string
let path: string
const opened: StreamFile[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stream-file-'))
  path = join(folder, 'stream.out')
})

afterEach(async () => {
  await Promise.all(opened.splice(0).map((file) => file.close()))
  await rm(folder, { recursive: true })
})

/** Each pause of the follower runs the next step of the test instead of waiting. */
function clockOf(steps: (() => Promise<unknown> | void)[] = []): Clock {
  return {
    now: () => 0,
    monotonic: () => 0,
    sleep: async () => {
      const step = steps.shift()
      if (step === undefined) throw new Error('the follower waits although nothing will come')
      await step()
    },
  }
}

const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

async function created(steps: (() => Promise<unknown> | void)[] = []): Promise<StreamFile> {
  const file = await createStreamFiles(clockOf(steps)).create(path, owner)
  if (!file.ok) throw new Error(file.error.message)
  opened.push(file.value)
  return file.value
}

async function followed(
  file: StreamFile,
  change: { offset?: number; ended?: AbortSignal; maxBytes?: number } = {},
): Promise<StreamItem[]> {
  const items: StreamItem[] = []
  for await (const item of file.follow({
    offset: 0,
    ended: new AbortController().signal,
    signal: new AbortController().signal,
    maxBytes: 1_000_000,
    ...change,
  })) {
    items.push(item.type === 'chunk' ? { ...item, bytes: Uint8Array.from(item.bytes) } : item)
  }
  return items
}

const textOf = (items: readonly StreamItem[]): string =>
  items
    .map((item) => (item.type === 'chunk' ? Buffer.from(item.bytes).toString() : `[${item.error.type}]`))
    .join('')

const aborted = AbortSignal.abort()

describe('a stream file', () => {
  it('is private and never takes the place of something that is there', async () => {
    await created()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const again = await createStreamFiles(clockOf()).create(path, owner)
    expect(again.ok).toBe(false)
  })

  it('gives what was written before and during the following, with positions to go on from', async () => {
    const ended = new AbortController()
    const file = await created([() => appendFile(path, 'two'), async () => ended.abort()])
    await appendFile(path, 'one,')
    const items = await followed(file, { ended: ended.signal })
    expect(textOf(items)).toBe('one,two')
    expect(items.map((item) => (item.type === 'chunk' ? item.positionAfter.offset : null))).toEqual([4, 7])
  })

  it('reads what came until the end although the end is known before', async () => {
    const file = await created()
    await appendFile(path, 'x'.repeat(600_000))
    expect(textOf(await followed(file, { ended: aborted }))).toHaveLength(600_000)
  })

  it('goes on at an offset', async () => {
    const file = await created()
    await appendFile(path, 'seen,new')
    expect(textOf(await followed(file, { offset: 5, ended: aborted }))).toBe('new')
  })

  it('reads one chunk ahead and no more, so that a slow reader holds nothing', async () => {
    const file = await created()
    const chunkBytes = 262_144
    await appendFile(path, Buffer.alloc(3_000_000, 'a'))
    const reading = file
      .follow({ offset: 0, ended: aborted, signal: new AbortController().signal, maxBytes: 1e9 })
      [Symbol.asyncIterator]()
    const next = async (): Promise<string> => {
      const { value } = await reading.next()
      return value?.type === 'chunk' ? Buffer.from(value.bytes).toString() : ''
    }
    expect(await next()).toBe('a'.repeat(chunkBytes))
    const written = await open(path, 'r+')
    await written.write(Buffer.alloc(chunkBytes, 'b'), 0, chunkBytes, chunkBytes * 2)
    await written.close()
    await next()
    expect(await next()).toBe('b'.repeat(chunkBytes))
  })

  it('leaves a chunk as it is while the next one is read ahead', async () => {
    const letters = [...'abcdef'].map((letter) => letter.repeat(262_144))
    const file = await created()
    await appendFile(path, letters.join(''))
    const seen: string[] = []
    for await (const item of file.follow({
      offset: 0,
      ended: aborted,
      signal: new AbortController().signal,
      maxBytes: 1e9,
    })) {
      // as long as it takes to read as much: by then the next chunk is there
      await readFile(path)
      if (item.type === 'chunk' && item.bytes.length > 0) seen.push(Buffer.from(item.bytes).toString())
    }
    expect(seen).toEqual(letters)
  })

  it('says of each chunk whether another one comes at once, and keeps to that', async () => {
    const ended = new AbortController()
    const file = await created([
      () => appendFile(path, 'rest'),
      () => appendFile(path, 'b'.repeat(262_144)),
      () => ended.abort(),
    ])
    await appendFile(path, 'a'.repeat(262_144))
    const items = await followed(file, { ended: ended.signal })
    expect(items.map((item) => (item.type === 'chunk' ? [item.bytes.length, item.isFollowed] : []))).toEqual([
      [262_144, true],
      [0, false],
      [4, false],
      [262_144, true],
      [0, false],
    ])
  })

  it('ends at once when the signal aborts', async () => {
    const stop = new AbortController()
    const file = await created([() => stop.abort()])
    const items: StreamItem[] = []
    for await (const item of file.follow({
      offset: 0,
      ended: new AbortController().signal,
      signal: stop.signal,
      maxBytes: 10,
    }))
      items.push(item)
    expect(items).toEqual([])
  })

  it('refuses a file that shrinks', async () => {
    const file = await created([() => truncate(path, 2)])
    await appendFile(path, 'some text')
    expect(textOf(await followed(file))).toBe('some text[shrank]')
  })

  it('refuses a file that was replaced', async () => {
    const file = await created([
      async () => {
        await writeFile(`${path}.other`, 'forged')
        await rename(`${path}.other`, path)
      },
    ])
    expect(textOf(await followed(file))).toBe('[replaced]')
  })

  it('refuses a file that was replaced by a link to itself', async () => {
    const file = await created([
      async () => {
        await rename(path, `${path}.moved`)
        await symlink(`${path}.moved`, path)
      },
    ])
    expect(textOf(await followed(file))).toBe('[replaced]')
  })

  it('refuses more than the cap', async () => {
    const file = await created()
    await appendFile(path, 'x'.repeat(100))
    expect(textOf(await followed(file, { maxBytes: 99 }))).toBe('[too_large]')
  })
})

describe('opening a stream file again', () => {
  const open = (position: { device: string; inode: string; offset: number } | null) =>
    createStreamFiles(clockOf()).open(path, position)

  it('takes the same file at least as long as before', async () => {
    const { device, inode } = await created()
    await appendFile(path, 'text')
    const again = await open({ device, inode, offset: 4 })
    if (again.ok) opened.push(again.value)
    expect(again.ok).toBe(true)
  })

  it('refuses another file, a shorter one, a link, a FIFO, and one that is gone', async () => {
    const { device, inode } = await created()
    const refused = async (position: Parameters<typeof open>[0]) => {
      const result = await open(position)
      if (result.ok) opened.push(result.value)
      return result.ok ? null : result.error.type
    }
    expect(await refused({ device, inode, offset: 1 })).toBe('shrank')
    expect(await refused({ device, inode: '1', offset: 0 })).toBe('replaced')
    await rename(path, `${path}.moved`)
    expect(await refused(null)).toBe('missing')
    await symlink(`${path}.moved`, path)
    expect(await refused(null)).toBe('not_a_file')
    await rm(path)
    execFileSync('mkfifo', [path])
    expect(await refused(null)).toBe('not_a_file')
  })
})
