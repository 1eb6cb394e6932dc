import type { Result } from '@shared/result'
import type { StreamPosition } from '@shared/model/records'

/*
 * The files that carry a run's output (ADR 3). The app makes them before the start, the container appends to
 * them, and the app follows them by byte offset: so nothing is lost over a restart of the app or of the engine.
 */

export type StreamFileErrorType =
  /** There is no such file (any more). */
  | 'missing'
  /** A link, a FIFO, a folder. */
  | 'not_a_file'
  /** The name leads to another file than the one that is followed. */
  | 'replaced'
  /** Fewer bytes than were read already. */
  | 'shrank'
  /** More bytes than the cap. */
  | 'too_large'
  | 'unexpected'

export interface StreamFileError {
  readonly type: StreamFileErrorType
  readonly message: string
}

export type StreamItem =
  /**
   * Untrusted bytes, there until the next item is asked for; `positionAfter` is where to go on after a restart. With
   * `isFollowed` another item comes at once, which may be an empty chunk.
   */
  | {
      readonly type: 'chunk'
      readonly bytes: Uint8Array
      readonly positionAfter: StreamPosition
      readonly isFollowed: boolean
    }
  /** The last item: the file may not be believed any more. */
  | { readonly type: 'refused'; readonly error: StreamFileError }

export interface FollowRequest {
  /** Byte offset to start at. */
  readonly offset: number
  /** Aborted once the writer is gone: the rest is read, then the iteration ends. */
  readonly ended: AbortSignal
  /** Ends the iteration at once. */
  readonly signal: AbortSignal
  readonly maxBytes: number
}

/** An open stream file; stays open until `close`, so that the inode cannot be given to another file. */
export interface StreamFile {
  readonly path: string
  readonly device: string
  readonly inode: string
  /** Reads at most one chunk ahead of what was asked for: a slow reader holds no more than that in memory. */
  follow(request: FollowRequest): AsyncIterable<StreamItem>
  sizeBytes(): Promise<number>
  /** When something was last written to it (epoch ms). */
  writtenAt(): Promise<number>
  close(): Promise<void>
}

export interface StreamFiles {
  /** Makes a new, empty file (0600), owned by the user that writes inside the container. Fails when the name exists. */
  create(
    path: string,
    owner: { readonly uid: number; readonly gid: number },
  ): Promise<Result<StreamFile, StreamFileError>>
  /** Opens one that was made before; with a position, it must be that very file and at least that long. */
  open(path: string, position: StreamPosition | null): Promise<Result<StreamFile, StreamFileError>>
}
