/*
 * Which changed files make a push wait for a person (`PUSH_NEEDS_PERSON`). Globs: `**` crosses folders, `*` and `?`
 * do not; a pattern that matches a folder covers all below it.
 */

/** The paths that a glob covers, in their order. */
export function protectedPaths(paths: readonly string[], globs: readonly string[]): readonly string[] {
  const patterns = globs.map(toPattern)
  return paths.filter((path) => patterns.some((pattern) => covers(pattern, path)))
}

function covers(pattern: RegExp, path: string): boolean {
  const parts = path.split('/')
  return parts.some((_, index) => pattern.test(parts.slice(0, index + 1).join('/')))
}

/** Without regard to case: the file systems of some forges' runners have none either. */
function toPattern(glob: string): RegExp {
  const source = glob
    .replace(/^\/+/, '')
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => tokens[part] ?? part.replace(/[.+^${}()|[\]\\]/g, '\\$&'))
    .join('')
  return new RegExp(`^${source}$`, 'iu')
}

const tokens: Readonly<Record<string, string>> = {
  '**/': '(?:[^/]+/)*',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
}
