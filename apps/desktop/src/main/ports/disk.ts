/*
 * How much room is left, and how much a folder takes. Folders may have been written by an agent: nothing is
 * followed, opened or changed, and a walk ends at a bound.
 */

export interface FolderSize {
  /** Bytes on the disk, as far as was counted. */
  readonly bytes: number
  readonly files: number
  /** Whether everything was counted: false at the bound, or where a folder could not be read. */
  readonly isComplete: boolean
}

export interface Disk {
  /** Bytes that the app may still write where `path` lies; null when the system does not say. */
  freeBytes(path: string): Promise<number | null>
  /** 0 for a folder that does not exist. Stops counting beyond `maxBytes`. */
  sizeOf(folder: string, maxBytes: number, signal?: AbortSignal): Promise<FolderSize>
}
