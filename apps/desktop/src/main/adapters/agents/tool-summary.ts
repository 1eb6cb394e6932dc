import { neutraliseControls } from '@main/core/stream/control-sequences'

const longest = 200

/** Inputs that say in one line what a tool call is about, the best first. */
const telling = [
  'command',
  'file_path',
  'filePath',
  'target_file',
  'notebook_path',
  'pattern',
  'url',
  'query',
  'path',
  'description',
  'prompt',
]

/** What a tool is called for, in one line; empty when its input has no such word. */
export function toolSummary(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const words = input as Readonly<Record<string, unknown>>
  for (const key of telling) {
    const value = Object.hasOwn(words, key) ? words[key] : undefined
    if (typeof value === 'string' && value.trim() !== '') {
      const [line = ''] = neutraliseControls(value).trim().split('\n')
      return line.length > longest ? `${line.slice(0, longest)}…` : line
    }
  }
  return ''
}
