import { describe, expect, it } from 'vitest'
import { createTextTail } from './text-tail'

describe('the text tail', () => {
  it('keeps everything while it is short', () => {
    const tail = createTextTail(100)
    tail.add('one')
    tail.add('two')
    expect(tail.text()).toBe('one\ntwo')
  })

  it('keeps the end of a long text', () => {
    const tail = createTextTail(10)
    for (let i = 0; i < 1000; i += 1) tail.add(`line ${i}`)
    expect(tail.text()).toBe('8\nline 999')
  })

  it.each([0, 1, 2, 7, 1000])('is the same of %d lines at once as of one after the other', (count) => {
    const lines = Array.from({ length: count }, (_, n) => 'line '.repeat(n % 4) + n)
    const [atOnce, each] = [createTextTail(30), createTextTail(30)]
    for (const tail of [atOnce, each]) tail.add('before')
    atOnce.addAll(lines)
    for (const line of lines) each.add(line)
    expect(atOnce.text()).toBe(each.text())
  })

  it('keeps the end of one overlong line', () => {
    const tail = createTextTail(5)
    tail.add('0123456789')
    expect(tail.text()).toBe('56789')
  })
})
