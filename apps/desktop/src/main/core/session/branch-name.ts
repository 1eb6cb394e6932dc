/*
 * The name of an issue's branch, which is the name of all its sessions too. Frozen at the first run.
 */

const SLUG_LENGTH = 40

/** Letters that Unicode does not take apart into an ASCII letter and an accent. */
const TRANSLITERATIONS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ŋ', 'ng'],
  ['ŧ', 't'],
  ['ə', 'e'],
  ['&', ' and '],
  // An apostrophe inside a word joins it: "don't" is one word.
  ["'", ''],
  ['’', ''],
  ['ʼ', ''],
])

/** Device names of Windows, which cannot be files or folders there, whatever their extension. */
const RESERVED_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** One folder of the prefix, made a valid component of a git reference and a valid folder name. */
function toSafePart(part: string): string {
  const noLock = part.replace(/\.lock$/i, '-lock')
  return RESERVED_NAME.test(noLock) ? `${noLock.replaceAll('.', '-')}-` : noLock
}

const toSafePrefix = (prefix: string): string =>
  prefix
    .split('/')
    .map((part, at, all) => (at === all.length - 1 ? part : toSafePart(part)))
    .join('/')

function cutAtWord(slug: string): string {
  if (slug.length <= SLUG_LENGTH) return slug
  const head = slug.slice(0, SLUG_LENGTH)
  if (slug[SLUG_LENGTH] === '-') return head
  const lastWord = head.lastIndexOf('-')
  return lastWord > 0 ? head.slice(0, lastWord) : head
}

/** Title as `[a-z0-9]` words joined by `-`, at most 40 characters; empty when nothing of it is ASCII. */
export function slugOf(title: string): string {
  const folded = [...title.toLowerCase()]
    .map((letter) => TRANSLITERATIONS.get(letter) ?? letter)
    .join('')
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
  return cutAtWord(folded.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, ''))
}

/**
 * `{prefix}issue-{iid}-{slug}`, or `{prefix}issue-{iid}` when the title leaves nothing. Always a valid branch
 * name for git and safe in paths; the same input gives the same name.
 */
export function branchName(input: {
  /** Value of BRANCH_PREFIX, as its schema allows it. */
  readonly prefix: string
  readonly iid: number
  readonly title: string
}): string {
  const slug = slugOf(input.title)
  const name = `issue-${input.iid}`
  return toSafePrefix(input.prefix) + (slug === '' ? name : `${name}-${slug}`)
}
