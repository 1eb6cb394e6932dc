/*
 * Where things are inside the container. Entry, adapters and the spec agree on these.
 */

export const containerPaths = {
  home: '/home/agent',
  workspace: '/workspace',
  temporary: '/tmp',
  repository: '/alfred/repo.git',
  entry: '/alfred/entry',
  gitConfig: '/alfred/gitconfig',
  input: '/alfred/in',
  output: '/alfred/out',
  streamOut: '/alfred/out/stream.out',
  streamErr: '/alfred/out/stream.err',
  passwd: '/etc/passwd',
  group: '/etc/group',
} as const

/** An absolute POSIX path without `.`, `..`, doubled or trailing slashes; null when it is not absolute. */
export function normalizeContainerPath(path: string): string | null {
  if (!path.startsWith('/') || path.includes('\0')) return null
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** `path` is `folder` itself or lies below it; both normalised. */
export const isInside = (path: string, folder: string): boolean =>
  path === folder || folder === '/' || path.startsWith(`${folder}/`)

/** Equal, inside or around. */
export const overlaps = (a: string, b: string): boolean => isInside(a, b) || isInside(b, a)

/** Every folder strictly between `folder` and `path`, outermost first. */
export function foldersBetween(folder: string, path: string): readonly string[] {
  if (!isInside(path, folder) || path === folder) return []
  const names = path.slice(folder === '/' ? 1 : folder.length + 1).split('/')
  return names
    .slice(0, -1)
    .map((_, index) => `${folder === '/' ? '' : folder}/${names.slice(0, index + 1).join('/')}`)
}
