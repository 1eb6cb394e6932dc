import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedact } from '../../core/redact/redact'
import { hasEscapes, redactEvent, redactGroup, redactLine, redactLines } from './redacted-line'

const secret = 'correct horse battery staple'
const redact = createRedact(() => [secret])

describe('what an agent printed', () => {
  it('keeps no first half of a secret where its line was cut', () => {
    const line = `${'x '.repeat(500)}${secret}${' y'.repeat(500)}`
    const start = line.indexOf(secret)
    for (let at = start + 1; at < start + secret.length; at += 1) {
      expect(redactLine({ text: line.slice(0, at), beyond: line.slice(at) }, redact)).not.toContain('cor')
    }
    expect(redactLine({ text: `a ${secret}`, beyond: '' }, redact)).toBe('a [redacted]')
  })

  it('is redacted line by line wherever a secret is', () => {
    const pieces = fc.constantFrom(
      'a',
      secret,
      `ghp_${'a1'.repeat(18)}`,
      'Bearer ',
      'abcdef123456',
      'https://mia:pw@',
      '',
    )
    const line = fc.record({
      text: fc.array(pieces, { maxLength: 3 }).map((all) => all.join('')),
      beyond: pieces,
    })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
        const texts = lines.map((one) => redactLine(one, redact))
        expect(redactLines(lines, redact)).toEqual(texts)
        const group = lines.map((one) => ({ ...one, droppedBytes: 0, streamBytes: 0 }))
        expect(redactGroup({ lines: group, whole: null }, redact)).toEqual(texts)
        const uncut = group.map((one) => ({ ...one, beyond: '' }))
        const whole = uncut.map(({ text }) => `${text}\n`).join('')
        expect(redactGroup({ lines: uncut, whole }, redact)).toEqual(
          uncut.map((one) => redactLine(one, redact)),
        )
      }),
    )
  })

  it('may be a flood of blank lines', () => {
    const blank = Array.from({ length: 300_000 }, () => ({ text: '', beyond: '' }))
    expect(redactLines(blank, redact)).toHaveLength(300_000)
  })

  it('keeps no secret that was written in escapes of JSON', () => {
    const line = String.raw`{"type":"text","text":"\u0063orrect horse battery staple"}`
    expect(hasEscapes(line)).toBe(true)
    expect(hasEscapes('{"text":"plain \\n"}')).toBe(false)
    const { text } = JSON.parse(line) as { text: string }
    expect(redactEvent({ kind: 'text', text }, redact)).toEqual({ kind: 'text', text: '[redacted]' })
    expect(redactEvent({ kind: 'result', succeeded: true, text, deniedTools: [] }, redact)).toMatchObject({
      kind: 'result',
      succeeded: true,
      text: '[redacted]',
    })
  })
})
