/*
 * A unified diff as rows that can be drawn one by one: a head per file, a line per hunk, the lines with their numbers.
 * Git wrote it, but the agent chose the content: whatever does not fit is shown as it is.
 */

export type FileChange = 'added' | 'modified' | 'deleted' | 'renamed'

export interface DiffFile {
  readonly path: string
  readonly oldPath: string | null
  readonly change: FileChange
  readonly added: number
  readonly deleted: number
  /** Index of the file's head among the rows. */
  readonly rowIndex: number
}

export type DiffRow =
  | { readonly kind: 'file'; readonly file: number }
  | { readonly kind: 'hunk'; readonly text: string }
  | {
      readonly kind: 'context' | 'added' | 'removed'
      readonly oldLine: number | null
      readonly newLine: number | null
      readonly text: string
    }
  /** What git says about a file or line: binary, no newline at the end, a new mode. */
  | { readonly kind: 'note'; readonly text: string }

export interface ParsedDiff {
  readonly files: readonly DiffFile[]
  readonly rows: readonly DiffRow[]
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface State {
  readonly files: Mutable<DiffFile>[]
  readonly rows: DiffRow[]
  oldLine: number
  newLine: number
  /** Lines that the hunk still has, so that a removed line `--- x` is no file's head. */
  oldLeft: number
  newLeft: number
}

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/

export function parseDiff(patch: string): ParsedDiff {
  const state: State = { files: [], rows: [], oldLine: 0, newLine: 0, oldLeft: 0, newLeft: 0 }
  const lines = patch.split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const line of lines) {
    if (state.oldLeft > 0 || state.newLeft > 0) readInHunk(state, line)
    else readBetween(state, line)
  }
  return { files: state.files, rows: state.rows }
}

function readBetween(state: State, line: string): void {
  const hunk = hunkHead.exec(line)
  if (hunk) {
    if (state.files.length === 0) openFile(state, '', null)
    state.oldLine = Number(hunk[1])
    state.oldLeft = Number(hunk[2] ?? 1)
    state.newLine = Number(hunk[3])
    state.newLeft = Number(hunk[4] ?? 1)
    state.rows.push({ kind: 'hunk', text: (hunk[5] ?? '').trim() })
    return
  }
  const file = state.files.at(-1)
  if (line.startsWith('diff --git ')) openFile(state, pathInHead(line), null)
  else if (line.startsWith('new file mode') && file) file.change = 'added'
  else if (line.startsWith('deleted file mode') && file) file.change = 'deleted'
  else if (line.startsWith('rename from ') && file) {
    file.change = 'renamed'
    file.oldPath = unquote(line.slice('rename from '.length))
  } else if (line.startsWith('rename to ') && file) file.path = unquote(line.slice('rename to '.length))
  else if (line.startsWith('--- ')) readOldPath(state, line.slice(4))
  else if (line.startsWith('+++ ')) readNewPath(state, line.slice(4))
  else if (line.startsWith('Binary files ') || line.startsWith('GIT binary patch'))
    state.rows.push({ kind: 'note', text: 'Binary file' })
  else if (line.startsWith('new mode '))
    state.rows.push({ kind: 'note', text: `Mode is now ${line.slice(9)}` })
  else if (line.startsWith('\\ ')) state.rows.push({ kind: 'note', text: line.slice(2) })
}

/** A diff without git's heads begins its files with `---`. */
function readOldPath(state: State, path: string): void {
  const file = state.files.at(-1)
  const isHead = file === undefined || state.rows.length > file.rowIndex + 1
  if (isHead) openFile(state, withoutSide(path, 'a/'), null)
}

function readNewPath(state: State, path: string): void {
  const file = state.files.at(-1)
  if (file && path !== '/dev/null') file.path = withoutSide(path, 'b/')
}

function openFile(state: State, path: string, oldPath: string | null): void {
  state.files.push({ path, oldPath, change: 'modified', added: 0, deleted: 0, rowIndex: state.rows.length })
  state.rows.push({ kind: 'file', file: state.files.length - 1 })
}

function readInHunk(state: State, line: string): void {
  const file = state.files.at(-1)
  const text = line.slice(1)
  switch (line[0]) {
    case '+':
      state.rows.push({ kind: 'added', oldLine: null, newLine: state.newLine, text })
      state.newLine += 1
      state.newLeft -= 1
      if (file) file.added += 1
      return
    case '-':
      state.rows.push({ kind: 'removed', oldLine: state.oldLine, newLine: null, text })
      state.oldLine += 1
      state.oldLeft -= 1
      if (file) file.deleted += 1
      return
    case '\\':
      state.rows.push({ kind: 'note', text: line.slice(2) })
      return
    default:
      // some programs strip the blank in front of an empty line
      state.rows.push({ kind: 'context', oldLine: state.oldLine, newLine: state.newLine, text })
      state.oldLine += 1
      state.newLine += 1
      state.oldLeft -= 1
      state.newLeft -= 1
  }
}

/** `diff --git a/x b/x`: both sides are the same but for renames, which name their paths in lines of their own. */
function pathInHead(line: string): string {
  const sides = line.slice('diff --git '.length)
  const half = (sides.length - 1) / 2
  if (sides.startsWith('a/') && sides.slice(2, half) === sides.slice(half + 3)) return sides.slice(2, half)
  return withoutSide(sides.slice(sides.lastIndexOf(' ') + 1), 'b/')
}

function withoutSide(path: string, side: 'a/' | 'b/'): string {
  const plain = unquote(path.split('\t')[0] ?? path)
  return plain.startsWith(side) ? plain.slice(2) : plain
}

/** Git quotes paths with unusual letters: `"a/\303\244.ts"`. */
function unquote(path: string): string {
  if (!path.startsWith('"') || !path.endsWith('"')) return path
  const bytes: number[] = []
  const inner = path.slice(1, -1)
  for (let at = 0; at < inner.length; at += 1) {
    if (inner[at] !== '\\') {
      bytes.push(...new TextEncoder().encode(inner[at]))
      continue
    }
    const octal = /^[0-7]{3}/.exec(inner.slice(at + 1, at + 4))?.[0]
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8))
    else bytes.push(...new TextEncoder().encode(escapes[inner[at + 1] ?? ''] ?? inner[at + 1] ?? ''))
    at += octal === undefined ? 1 : 3
  }
  return new TextDecoder().decode(new Uint8Array(bytes))
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' }
