import { parseDiff, type DiffRow, type ParsedDiff } from '../../lib/diff-rows'
import type { ToolRow } from '../../lib/transcript/transcript-rows'

/*
 * An edit is shown as what it changes, not as the arguments of a call. CLIs write edits in a few ways; what is none of
 * them is shown as text.
 */

const contextLines = 3

/** The change that a tool call makes, or null when it makes none that can be read from it. */
export function toolDiff(tool: Pick<ToolRow, 'input' | 'summary' | 'result'>): ParsedDiff | null {
  for (const text of [tool.input, tool.result?.output ?? '']) if (isPatch(text)) return parseDiff(text)
  const edit = readEdit(tool.input)
  return edit === null ? null : editDiff(edit)
}

const isPatch = (text: string): boolean => /^(?:diff --git |--- )/m.test(text) && /^@@ -\d/m.test(text)

interface Edit {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** `{"file_path", "old_string", "new_string"}` and its kin. */
function readEdit(input: string): Edit | null {
  if (!input.startsWith('{')) return null
  let parsed: unknown
  try {
    parsed = JSON.parse(input)
  } catch {
    return null
  }
  const fields = parsed as Readonly<Record<string, unknown>>
  const text = (...names: readonly string[]): string | null => {
    const value = names.map((name) => fields[name]).find((candidate) => typeof candidate === 'string')
    return typeof value === 'string' ? value : null
  }
  const before = text('old_string', 'oldString', 'old_str')
  const after = text('new_string', 'newString', 'new_str')
  if (before === null || after === null) return null
  return { path: text('file_path', 'filePath', 'path') ?? '', before, after }
}

/** Lines that both have at their ends are context; all between them was replaced. Where in the file is not known. */
function editDiff({ path, before, after }: Edit): ParsedDiff {
  const old = before === '' ? [] : before.split('\n')
  const fresh = after === '' ? [] : after.split('\n')
  const shared = Math.min(old.length, fresh.length)
  let head = 0
  while (head < shared && old[head] === fresh[head]) head += 1
  let tail = 0
  while (tail < shared - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail += 1

  const removed = old.slice(head, old.length - tail)
  const added = fresh.slice(head, fresh.length - tail)
  const line =
    (kind: 'context' | 'added' | 'removed') =>
    (text: string): DiffRow => ({ kind, oldLine: null, newLine: null, text })
  const rows: DiffRow[] = [
    { kind: 'file', file: 0 },
    ...old.slice(Math.max(0, head - contextLines), head).map(line('context')),
    ...removed.map(line('removed')),
    ...added.map(line('added')),
    ...old.slice(old.length - tail, old.length - tail + contextLines).map(line('context')),
  ]
  const change = old.length === 0 ? 'added' : 'modified'
  return {
    files: [{ path, oldPath: null, change, added: added.length, deleted: removed.length, rowIndex: 0 }],
    rows,
  }
}
