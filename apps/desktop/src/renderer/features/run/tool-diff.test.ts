import { describe, expect, it } from 'vitest'
import { toolDiff } from './tool-diff'

const tool = (input: string, output = '') => ({
  summary: '',
  input,
  result: { output, failed: false, at: 0 },
})

describe('the change of a tool call', () => {
  it('is read from a patch, in the input or the output', () => {
    const patch = '--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n'
    expect(toolDiff(tool(patch))?.files[0]?.path).toBe('x.ts')
    expect(toolDiff(tool('edit x', patch))?.files[0]?.path).toBe('x.ts')
  })

  it('is read from an old and a new text, with what both share as context', () => {
    const input = JSON.stringify({
      file_path: 'a.ts',
      old_string: 'one\ntwo\nthree',
      new_string: 'one\n2\nthree',
    })
    expect(
      toolDiff(tool(input))?.rows.map((row) => (row.kind === 'file' ? 'file' : `${row.kind} ${row.text}`)),
    ).toEqual(['file', 'context one', 'removed two', 'added 2', 'context three'])
  })

  it('counts a repeated line once', () => {
    const diff = toolDiff(tool(JSON.stringify({ path: 'a', old_string: 'x\nx', new_string: 'x\nx\nx' })))
    expect(diff?.files[0]).toMatchObject({ added: 1, deleted: 0 })
  })

  it.each([
    '',
    '{',
    '{"command":"ls"}',
    'just words --- and @@',
    '{"old_string":1,"new_string":2}',
    '[]',
    'null',
  ])('is none for %j', (input) => {
    expect(toolDiff(tool(input))).toBeNull()
  })
})
