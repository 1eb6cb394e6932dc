import { describe, expect, it } from 'vitest'
import { parseDiff } from './diff-rows'

const patch = `diff --git a/src/retry.ts b/src/retry.ts
index 1111111..2222222 100644
--- a/src/retry.ts
+++ b/src/retry.ts
@@ -41,4 +41,4 @@ export function parse() {
 export function parseRetryAfter(header) {
-  const seconds = Number(header)
---- old rule
+  if (header === null) return null
+++ new rule
 }
diff --git a/docs/new.md b/docs/new.md
new file mode 100644
index 0000000..3333333
--- /dev/null
+++ b/docs/new.md
@@ -0,0 +1 @@
+Carriers
\\ No newline at end of file
diff --git a/old name.ts b/new name.ts
similarity index 100%
rename from old name.ts
rename to new name.ts
diff --git a/gone.ts b/gone.ts
deleted file mode 100644
index 4444444..0000000
--- a/gone.ts
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/logo.png b/logo.png
index 5555555..6666666 100644
Binary files a/logo.png and b/logo.png differ
`

describe('a diff', () => {
  const { files, rows } = parseDiff(patch)

  it('lists its files with what happened to them', () => {
    expect(files.map(({ path, change, added, deleted }) => [path, change, added, deleted])).toEqual([
      ['src/retry.ts', 'modified', 2, 2],
      ['docs/new.md', 'added', 1, 0],
      ['new name.ts', 'renamed', 0, 0],
      ['gone.ts', 'deleted', 0, 1],
      ['logo.png', 'modified', 0, 0],
    ])
    expect(files[2]?.oldPath).toBe('old name.ts')
  })

  it('numbers its lines, and takes changed lines that look like heads as lines', () => {
    expect(rows.slice(1, 8)).toEqual([
      { kind: 'hunk', text: 'export function parse() {' },
      { kind: 'context', oldLine: 41, newLine: 41, text: 'export function parseRetryAfter(header) {' },
      { kind: 'removed', oldLine: 42, newLine: null, text: '  const seconds = Number(header)' },
      { kind: 'removed', oldLine: 43, newLine: null, text: '--- old rule' },
      { kind: 'added', oldLine: null, newLine: 42, text: '  if (header === null) return null' },
      { kind: 'added', oldLine: null, newLine: 43, text: '++ new rule' },
      { kind: 'context', oldLine: 44, newLine: 44, text: '}' },
    ])
  })

  it('points from each file to its head', () => {
    for (const [index, file] of files.entries())
      expect(rows[file.rowIndex]).toEqual({ kind: 'file', file: index })
  })

  it('says what is no text', () => {
    expect(rows.filter((row) => row.kind === 'note').map((row) => row.text)).toEqual([
      'No newline at end of file',
      'Binary file',
    ])
  })

  it('reads quoted paths', () => {
    const quoted = parseDiff(
      'diff --git "a/\\303\\244 \\"x\\".ts" "b/\\303\\244 \\"x\\".ts"\n--- "a/\\303\\244 \\"x\\".ts"\n+++ "b/\\303\\244 \\"x\\".ts"\n@@ -1 +1 @@\n-a\n+b\n',
    )
    expect(quoted.files[0]?.path).toBe('ä "x".ts')
  })

  it('reads a diff without heads of git', () => {
    const plain = parseDiff(
      '--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n--- a/y.ts\n+++ b/y.ts\n@@ -1 +1 @@\n-c\n+d\n',
    )
    expect(plain.files.map((file) => file.path)).toEqual(['x.ts', 'y.ts'])
  })

  it.each(['', 'no diff at all', '@@ -1 +1 @@\n-a\n+b', '--- a/x\n', '\u0000\n@@ nonsense'])(
    'never throws on %j',
    (text) => {
      expect(() => parseDiff(text)).not.toThrow()
    },
  )

  it('has nothing for nothing', () => {
    expect(parseDiff('')).toEqual({ files: [], rows: [] })
  })
})
