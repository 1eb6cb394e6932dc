import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { formatBytes } from '@shared/format'
import { err, ok, type Result } from '@shared/result'
import { storageFailureOf } from '@main/ports/storage-failure'
import type { UntrustedFileError } from '@main/ports/run-folder'

const chunkBytes = 256 * 1024

/**
 * Opens what the agent may have put there, without following a link or waiting for a FIFO. It must be a plain
 * file without a second name: a hard link could lead to a file of this user that the agent cannot read itself.
 */
export async function openUntrustedFile(
  path: string,
  maxBytes: number,
): Promise<Result<FileHandle, UntrustedFileError>> {
  let handle: FileHandle
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    return err(openError(error))
  }
  const found = await handle.stat()
  const problem = !found.isFile()
    ? refused('not_a_plain_file', 'it is no plain file')
    : found.nlink !== 1
      ? refused('not_a_plain_file', `it has ${found.nlink} names`)
      : found.size > maxBytes
        ? refused('too_large', `it has ${formatBytes(found.size)}, and ${formatBytes(maxBytes)} are allowed`)
        : null
  if (problem === null) return ok(handle)
  await handle.close()
  return err(problem)
}

/** Copies it to `target`, which must not exist yet. Throws when the disk is full: that says nothing about the file. A file that grows past the cap meanwhile is refused too. */
export async function copyUntrustedFile(
  path: string,
  target: string,
  maxBytes: number,
): Promise<Result<string, UntrustedFileError>> {
  const opened = await openUntrustedFile(path, maxBytes)
  if (!opened.ok) return opened
  const source = opened.value
  try {
    const copy = await open(target, 'wx', 0o600)
    try {
      const isWhole = await copyUpTo(source, copy, maxBytes)
      if (isWhole) return ok(target)
    } finally {
      await copy.close()
    }
    await rm(target, { force: true })
    return err(refused('too_large', `it grew past the ${formatBytes(maxBytes)} that are allowed`))
  } catch (error) {
    await rm(target, { force: true })
    if (storageFailureOf(error) !== null) throw error
    return err(refused('unexpected', messageOf(error)))
  } finally {
    await source.close()
  }
}

async function copyUpTo(source: FileHandle, copy: FileHandle, maxBytes: number): Promise<boolean> {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (let copied = 0; ;) {
    const { bytesRead } = await source.read(chunk, 0, chunk.length, copied)
    if (bytesRead === 0) return true
    copied += bytesRead
    if (copied > maxBytes) return false
    await copy.writeFile(chunk.subarray(0, bytesRead))
  }
}

function openError(error: unknown): UntrustedFileError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return refused('missing', 'it is not there')
  // A link (ELOOP), a folder that was opened on another system (EISDIR), a socket (ENXIO).
  if (code === 'ELOOP' || code === 'EISDIR' || code === 'ENXIO' || code === 'EMLINK') {
    return refused('not_a_plain_file', 'it is no plain file')
  }
  return refused('unexpected', messageOf(error))
}

const refused = (type: UntrustedFileError['type'], message: string): UntrustedFileError => ({ type, message })

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
