import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The better-sqlite3 binary to load instead of the package's own: ALFRED_SQLITE_BINDING, else the one shipped
 * with a packaged app. undefined: the package's own fits this runtime.
 */
export function findNativeBinding(
  env: Readonly<Record<string, string | undefined>>,
  resources: string | undefined,
): string | undefined {
  const named = env['ALFRED_SQLITE_BINDING']
  if (named !== undefined && named !== '') return named
  if (resources === undefined) return undefined
  const shipped = join(resources, 'native', 'better_sqlite3.node')
  return existsSync(shipped) ? shipped : undefined
}
