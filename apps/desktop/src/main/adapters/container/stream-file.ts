import { constants } from 'node:fs'
import { lstat, open, type FileHandle } from 'node:fs/promises'
import { err, ok, type Result } from '@shared/result'
import type { StreamPosition } from '@shared/model/records'
import type { Clock } from '@main/ports/clock'
import { storageFailureOf } from '@main/ports/storage-failure'
import type {
  FollowRequest,
  StreamFile,
  StreamFileError,
  StreamFileErrorType,
  StreamFiles,
  StreamItem,
} from '@main/ports/stream-files'

/*
 * Stream files on the host's disk. The agent can write into them, so the name is never trusted again after the
 * open: what counts is the open file. Polling, since notification does not work on every kind of mount.
 */

/** What is made of one chunk is made in one go: so little that the window does not notice. */
const chunkBytes = 262_144
const shortestPauseMs = 10
const longestPauseMs = 100

// Not there on Windows, where the flags mean nothing.
const noFollow = constants.O_NOFOLLOW ?? 0
const nonBlock = constants.O_NONBLOCK ?? 0

const streamError = (type: StreamFileErrorType, message: string): StreamFileError => ({ type, message })

export function createStreamFiles(clock: Clock): StreamFiles {
  return {
    create: async (path, owner) => {
      const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | noFollow
      return guarded(path, async () => {
        const file = await open(path, flags, 0o600)
        // The app can give a file away only as root; otherwise the sandbox's user is the app's own.
        if (process.getuid?.() === 0 && owner.uid !== 0) await file.chown(owner.uid, owner.gid)
        return ok(await openedFile(path, file, clock))
      })
    },
    open: (path, position) =>
      guarded(path, async () => {
        const file = await open(path, constants.O_RDONLY | noFollow | nonBlock)
        const refusal = await refusalOnOpen(file, position)
        if (refusal === null) return ok(await openedFile(path, file, clock))
        await file.close()
        return err(refusal)
      }),
  }
}

async function guarded(
  path: string,
  work: () => Promise<Result<StreamFile, StreamFileError>>,
): Promise<Result<StreamFile, StreamFileError>> {
  try {
    return await work()
  } catch (thrown) {
    if (storageFailureOf(thrown) !== null) throw thrown
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null
    if (code === 'ENOENT') return err(streamError('missing', `${path} is not there`))
    if (code === 'ELOOP' || code === 'EISDIR' || code === 'ENXIO')
      return err(streamError('not_a_file', `${path} is no regular file`))
    return err(streamError('unexpected', thrown instanceof Error ? thrown.message : String(thrown)))
  }
}

/** The device's number may change over a restart of the computer, so only the inode counts here. */
async function refusalOnOpen(
  file: FileHandle,
  position: StreamPosition | null,
): Promise<StreamFileError | null> {
  const stats = await file.stat({ bigint: true })
  if (!stats.isFile()) return streamError('not_a_file', 'the stream file is no regular file')
  if (position === null) return null
  if (String(stats.ino) !== position.inode)
    return streamError('replaced', 'the stream file is another one than before')
  if (stats.size < BigInt(position.offset))
    return streamError('shrank', 'the stream file is shorter than what was read')
  return null
}

async function openedFile(path: string, file: FileHandle, clock: Clock): Promise<StreamFile> {
  const stats = await file.stat({ bigint: true })
  const device = String(stats.dev)
  const inode = String(stats.ino)
  return {
    path,
    device,
    inode,
    sizeBytes: async () => (await file.stat()).size,
    writtenAt: async () => Math.round((await file.stat()).mtimeMs),
    close: () => file.close(),
    follow: (request) => follow({ path, file, device, inode, clock }, request),
  }
}

interface Followed {
  readonly path: string
  readonly file: FileHandle
  readonly device: string
  readonly inode: string
  readonly clock: Clock
}

async function* follow(followed: Followed, request: FollowRequest): AsyncGenerator<StreamItem> {
  const { device, inode, clock } = followed
  let { offset } = request
  let pauseMs = shortestPauseMs
  const wake = AbortSignal.any([request.signal, request.ended])
  // Two in turn: while what is in one is made use of, the other one is filled.
  let [filled, free] = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)]
  const read = (): Promise<Reading> => {
    ;[filled, free] = [free, filled]
    return readFrom(followed, filled, offset, request)
  }
  let reading = read()
  let isAwaited = false
  while (!request.signal.aborted) {
    const { bytes, hasEnded } = await reading
    if (bytes.length > 0) {
      offset += bytes.length
      if (offset > request.maxBytes) {
        yield {
          type: 'refused',
          error: streamError('too_large', `more than ${request.maxBytes} bytes of output`),
        }
        return
      }
      pauseMs = shortestPauseMs
      const isFull = bytes.length === chunkBytes
      // Where there is so much, the disk is at work on the next chunk while this one is made use of.
      if (isFull) reading = read()
      yield { type: 'chunk', bytes, positionAfter: { device, inode, offset }, isFollowed: isFull }
      if (!isFull) reading = read()
      isAwaited = isFull
      continue
    }
    if (isAwaited) yield { type: 'chunk', bytes, positionAfter: { device, inode, offset }, isFollowed: false }
    isAwaited = false
    const refusal = await refusalAtEnd(followed, offset)
    if (refusal !== null) {
      yield { type: 'refused', error: refusal }
      return
    }
    if (hasEnded) return
    await clock.sleep(pauseMs, wake)
    pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)
    reading = read()
  }
}

interface Reading {
  /** Empty at the end of the file. */
  readonly bytes: Uint8Array
  readonly hasEnded: boolean
}

function readFrom(
  { file }: Followed,
  buffer: Buffer,
  offset: number,
  { ended }: FollowRequest,
): Promise<Reading> {
  // Asked before the read: what was written until the end is then surely read.
  const hasEnded = ended.aborted
  const reading = file
    .read(buffer, 0, chunkBytes, offset)
    .then(({ bytesRead }) => ({ bytes: buffer.subarray(0, bytesRead), hasEnded }))
  // Whoever stops asking waits for no chunk, and is told of no failure.
  reading.catch(() => undefined)
  return reading
}

async function refusalAtEnd(
  { path, file, device, inode }: Followed,
  offset: number,
): Promise<StreamFileError | null> {
  const open = await file.stat()
  if (open.size < offset)
    return streamError('shrank', `the output became shorter: ${open.size} bytes after ${offset}`)
  const named = await lstat(path, { bigint: true }).catch(() => null)
  if (named === null) return streamError('replaced', 'the output file was removed')
  if (String(named.dev) !== device || String(named.ino) !== inode)
    return streamError('replaced', 'the output file was replaced')
  return null
}
