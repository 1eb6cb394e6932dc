import { PassThrough } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'
import { describe, expect, it } from 'vitest'
import { personTerminal } from './person-terminal'

function sitting() {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = Object.assign(new PassThrough(), { isTTY: true })
  const terminal = personTerminal(input as unknown as ReadStream, output as unknown as WriteStream)
  if (terminal === null) throw new Error('a terminal is there')
  const leaving = new AbortController()
  return { input, leaving, untilEnter: () => terminal.untilEnter(leaving.signal) }
}

describe('the wait for Enter', () => {
  it.each([
    ['Enter', ({ input }: ReturnType<typeof sitting>) => void input.write('\n')],
    ['the end of the window', ({ input }: ReturnType<typeof sitting>) => void input.end()],
    ['its failure', ({ input }: ReturnType<typeof sitting>) => void input.destroy(new Error('EIO'))],
    ['a signal', ({ leaving }: ReturnType<typeof sitting>) => leaving.abort()],
  ])('ends with %s, and leaves nothing behind', async (_, end) => {
    const person = sitting()
    let isOver = false
    const waiting = person.untilEnter().then(() => (isOver = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(isOver).toBe(false)
    end(person)
    await waiting
    expect(person.input.listenerCount('data')).toBe(0)
    expect(person.input.isPaused()).toBe(true)
  })

  it('is none where the window has gone', async () => {
    const person = sitting()
    person.input.destroy()
    await person.untilEnter()
    expect(person.input.listenerCount('data')).toBe(0)
  })
})
