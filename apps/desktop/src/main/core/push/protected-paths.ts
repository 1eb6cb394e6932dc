/*
 * Which changed files make a push wait for a person (`PUSH_NEEDS_PERSON`). Globs: `**` crosses folders, `*` and `?`
 * do not; a pattern that matches a folder covers all below it.
 */

/** The paths among `files` that a glob covers, in their order; a rename counts with both of its names. */
export function protectedPaths(
  files: readonly { readonly path: string; readonly oldPath: string | null }[],
  globs: readonly string[],
): readonly string[] {
  const patterns = globs.map(toPattern)
  const touched = files.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath]))
  return [...new Set(touched.filter((path) => patterns.some((pattern) => covers(pattern, path))))]
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
