import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export interface RotatingFile {
  /** Appends a line. Never throws: a full disk must not stop what is being logged. */
  append(line: string): void
  /** Nothing is written any more: the folder may be somebody else's now, or gone. */
  close(): void
}

export interface RotatingFileOptions {
  readonly file: string
  readonly maxBytes: number
  /** How many older files are kept beside it, as `file.1`, `file.2`, ... */
  readonly kept: number
}

/** A file that moves aside once it is full. Lines are written at once, so that a crash loses none. */
export function openRotatingFile({ file, maxBytes, kept }: RotatingFileOptions): RotatingFile {
  let handle: number | null = null
  let size = 0
  let isOver = false

  function open(): number {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    handle = openSync(file, 'a', 0o600)
    size = fstatSync(handle).size
    return handle
  }

  function closeFile(): void {
    if (handle !== null) closeSync(handle)
    handle = null
  }

  function rotate(): void {
    closeFile()
    rmSync(`${file}.${kept}`, { force: true })
    for (let number = kept - 1; number >= 1; number -= 1)
      moveIfThere(`${file}.${number}`, `${file}.${number + 1}`)
    moveIfThere(file, `${file}.1`)
  }

  return {
    append: (line) => {
      if (isOver) return
      const bytes = Buffer.from(`${line}\n`)
      try {
        let target = handle ?? open()
        if (size > 0 && size + bytes.length > maxBytes) {
          rotate()
          target = open()
        }
        size += writeSync(target, bytes)
      } catch {
        // Where a log cannot be written, there is nowhere to say so.
      }
    },
    close: () => {
      isOver = true
      closeFile()
    },
  }
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
