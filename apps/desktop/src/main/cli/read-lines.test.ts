import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { linesUntil } from './read-lines'

async function collect(lines: AsyncIterable<string>, onLine: () => void = () => undefined) {
  const seen: string[] = []
  for await (const line of lines) {
    seen.push(line)
    onLine()
  }
  return seen
}

it('gives the lines until the input ends, the last one without its end too', async () => {
  const input = new PassThrough()
  input.end('one\r\ntwo\n\nthree')
  expect(await collect(linesUntil(input, new AbortController().signal))).toEqual(['one', 'two', '', 'three'])
})

it('waits for no line any more once it is to end, as with Ctrl+C at the prompt', async () => {
  const input = new PassThrough()
  const leaving = new AbortController()
  input.write('one\n')
  expect(await collect(linesUntil(input, leaving.signal), () => leaving.abort())).toEqual(['one'])
  expect(await collect(linesUntil(input, leaving.signal))).toEqual([])
})
