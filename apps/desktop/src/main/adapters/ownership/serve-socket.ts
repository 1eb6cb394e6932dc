import { chmodSync, lstatSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { err, ok, type Result } from '@shared/result'
import { type HandOverHooks, servePeer, type SocketCalls } from './serve-peer'

export interface SocketServer {
  /** Ends every connection and removes the socket. */
  close(): Promise<void>
}

export interface ServeSocketError {
  readonly type: 'not_writable'
  readonly message: string
}

/**
 * Serves the engine at `path`, for this user only. Only the owner of the data folder may call it: what lies
 * there from an owner that died is removed.
 */
export async function serveSocket(
  path: string,
  calls: SocketCalls,
  hooks: HandOverHooks = {},
): Promise<Result<SocketServer, ServeSocketError>> {
  const peers = new Set<Socket>()
  const server = createServer((socket) => {
    peers.add(socket)
    socket.on('close', () => peers.delete(socket))
    servePeer(socket, calls, hooks)
  })
  let inode: number | null
  try {
    removeLeftOver(path)
    await listen(server, path)
    inode = inodeOf(path)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return err({ type: 'not_writable', message: `${path}: ${error.message}` })
  }
  return ok({
    close: () =>
      new Promise((resolve) => {
        // A successor may have put its own there.
        if (inode !== null && inodeOf(path) === inode) rmSync(path)
        server.close(() => resolve())
        for (const peer of peers) peer.destroy()
      }),
  })
}

const inodeOf = (path: string): number | null =>
  process.platform === 'win32' ? null : (lstatSync(path, { throwIfNoEntry: false })?.ino ?? null)

function removeLeftOver(path: string): void {
  if (process.platform === 'win32') return
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket()) throw new Error('something that is no socket is in the way')
  rmSync(path)
}

/**
 * The socket is made in a private folder and moved to its place, so that it never stands open to others, not even for
 * a moment. (A thread has no umask of its own to make it so.)
 */
async function listen(server: Server, path: string): Promise<void> {
  if (process.platform === 'win32') return listenAt(server, path)
  // Beside its place, which may be the top of a file system; no longer than that, since long paths are cut.
  const folder = mkdtempSync(join(dirname(path), '.s-'))
  try {
    const made = join(folder, 's')
    await listenAt(server, made)
    chmodSync(made, 0o600)
    renameSync(made, path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function listenAt(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () => {
      server.off('error', reject)
      // A connection that cannot be accepted (too many open files) is that connection's loss only.
      server.on('error', () => undefined)
      resolve()
    })
    server.listen(path)
  })
}
