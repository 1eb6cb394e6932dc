/*
 * Git's rule for branch names (`git check-ref-format --branch`), without asking git.
 */

const forbiddenPunctuation = ' ~^:?*[\\'

/** Whether git takes `name` as the name of a branch. */
export function isValidBranchName(name: string): boolean {
  if (name === '' || name === 'HEAD' || name.startsWith('-')) return false
  if (name.includes('..') || name.includes('@{') || name.endsWith('.')) return false
  for (const character of name) {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20 || code === 0x7f || forbiddenPunctuation.includes(character)) return false
  }
  // An empty component is a slash at either end, or two in a row.
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}
