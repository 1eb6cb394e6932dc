import { describe, expect, it } from 'vitest'
import { createRedact } from '../../core/redact/redact'
import { hasEscapes, redactEvent, redactLine } from './redacted-line'

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
