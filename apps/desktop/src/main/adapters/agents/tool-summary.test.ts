import { expect, it } from 'vitest'
import { toolSummary } from './tool-summary'

it.each([
  [{ command: 'npm test\nnpm run x', description: 'runs tests' }, 'npm test'],
  [{ file_path: '/workspace/a.ts', content: 'x' }, '/workspace/a.ts'],
  [{ filePath: '/workspace/b.ts', content: 'x' }, '/workspace/b.ts'],
  [{ target_file: 'c.ts', offset: 1 }, 'c.ts'],
  [{ path: '/workspace/d.ts', file_text: 'x' }, '/workspace/d.ts'],
  [{ pattern: 'TODO', path: 'src' }, 'TODO'],
  [{ description: 'look around', prompt: 'long' }, 'look around'],
  [{ command: '\u001b[2Jls' }, 'ls'],
  [{ command: 'x'.repeat(300) }, `${'x'.repeat(200)}…`],
  [{ command: 7 }, ''],
  [null, ''],
  ['text', ''],
])('%j is summed up as %j', (input, expected) => expect(toolSummary(input)).toBe(expected))
