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

  it('keeps the end of one overlong line', () => {
    const tail = createTextTail(5)
    tail.add('0123456789')
    expect(tail.text()).toBe('56789')
  })
})
